"""Whatever a metric's parameter is given: an error that names it, or scores that are numbers."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import CaptiousError
from captious.metrics.cider.cider import CiderD

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
ODD = [0, -1, math.nan, math.inf, 1e-300, 1e300, 10**400, 10**5000, True, "6", None, "", [], b"x"]
CANDIDATES = ["a dog runs over grass", "", "two cats"]
REFERENCES = [["a dog on the grass", "a brown dog runs"], ["a man"], ["two cats sit on a mat"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", captious.METRICS)
def test_unusual_parameters_give_named_errors_or_scores(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    metric: Any = captious.METRICS[name]
    if any(importlib.util.find_spec(package) is None for package in metric.requires):
        pytest.skip(f"needs {metric.requires}")
    for field in fields(metric):
        for value in ODD:
            try:
                options: dict[str, Any] = {field.name: value}
                result = captious.score(CANDIDATES, REFERENCES, [name], **options)
            except CaptiousError as error:
                assert len(str(error)) < 400
                message = str(error)
                assert field.name in message or name in message or "6" in message, (
                    field.name,
                    message,
                )
                continue
            assert np.isfinite(list(result.corpus.values())).all(), (field.name, value)
            assert all(np.isfinite(scores).all() for scores in result.samples.values())


@pytest.mark.parametrize("sigma", [1e-6, 1e-3, 1e6])
def test_extreme_sigmas_give_correct_scores(sigma: float) -> None:
    of_one_length = [CiderD(sigma=6.0), CiderD(sigma=sigma)]
    usual, other = (
        captious.score(["a b c d", "a b"], [["a b c e"], ["f g h"]], [metric]).samples["cider_d"]
        for metric in of_one_length
    )
    assert other[0] == usual[0] > 0, "captions of one length are not penalized at all"
    assert np.isfinite(other).all()


@pytest.mark.parametrize("given", [{"sigma": -1.0}, {"sigma": 1e-300}, {"sigma": 1e300}, {"n": 5}])
def test_numbers_out_of_bounds_are_refused_with_the_bounds(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(CaptiousError, match=rf"^cider_d: {name}: a .*number from .* up to "):
        CiderD(**given)


def test_numbers_of_numpy_are_numbers() -> None:
    n: Any = np.int64(3)
    sigma: Any = np.float32(6)
    assert CiderD(n=n, sigma=sigma).signature() == CiderD(n=3).signature()
