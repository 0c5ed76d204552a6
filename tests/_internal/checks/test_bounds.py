"""Numbers that users give: what may be, and what is said of the rest."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from captious._internal.checks.arguments import check_numbers
from captious._internal.checks.bounds import (
    COUNT,
    DECAY,
    POSITIVE,
    RATE,
    SEED,
    SHARE,
    WEIGHT,
    Bounds,
    Count,
    Share,
    Weight,
    check_number,
)
from captious.errors import InputError
from captious.metrics.cider.cider import CiderD


@pytest.mark.parametrize(
    ("bounds", "allowed", "refused", "said"),
    [
        (
            COUNT,
            [1, 900, np.int32(5), 10**6],
            [0, -1, 1.0, True, np.True_, "3", None, 10**6 + 1, 10**9000],
            "a whole number from 1 up to 1,000,000",
        ),
        (
            SEED,
            [0, 7, 2**63 - 1],
            [-1, 0.5, False, 2**63],
            f"a whole number from 0 to below {2**63:,}",
        ),
        (SHARE, [0, 0.5, 0.999], [1, 1.0, -0.1, math.nan], "a number from 0 to below 1"),
        (
            WEIGHT,
            [0, 0.0, 1e9],
            [-1e-9, math.inf, math.nan, "1", 10**400],
            "a number from 0 up to 1e+09",
        ),
        (POSITIVE, [1e-300, 3], [0, 0.0, math.inf, 1e300], "a number above 0 and up to 1e+09"),
        (Bounds(2), [2, 1e300], [1, math.inf, 10**400], "a number from 2 on"),
        (RATE, [1e-9, 0.5], [0, 1], "a number between 0 and 1"),
        (DECAY, [0.1, 1, 1.0], [0, 1.1], "a number above 0 and up to 1"),
    ],
)
def test_bounds_allow_the_numbers_in_their_message(
    bounds: Bounds, allowed: list[float], refused: list[Any], said: str
) -> None:
    assert all(map(bounds.allow, allowed))
    assert not any(map(bounds.allow, refused))
    assert str(bounds) == said


def test_error_names_the_number_its_bounds_and_the_value() -> None:
    @dataclass
    class Bread:
        loaves: Count = 2
        salt: Share = 0.5

    check_numbers(Bread())
    with pytest.raises(InputError, match=r"^salt: a number from 0 to below 1, not 1\.5$"):
        check_numbers(Bread(salt=1.5))


@pytest.mark.parametrize(
    "value",
    ["x" * 10**6, 10**9000, -(10**400), "\x1b[31m\u202e"],
    ids=["long", "huge", "negative", "control"],
)
def test_any_value_can_be_shown_in_one_line(value: int | str) -> None:
    with pytest.raises(InputError) as error:
        check_number("loaves", value, COUNT)
    assert len(str(error.value)) < 300 and str(error.value).isprintable()


@pytest.mark.parametrize(
    ("given", "taken"), [(np.int64(3), 3), (np.float32(0.5), 0.5), (Fraction(1, 2), 0.5), (2, 2)]
)
def test_numpy_numbers_become_python_numbers(given: Any, taken: float) -> None:
    @dataclass(frozen=True)
    class Bread:
        salt: Weight

        def __post_init__(self) -> None:
            check_numbers(self)

    assert json.dumps(vars(Bread(given))) == json.dumps({"salt": taken})


def test_parameters_of_metrics_become_python_numbers() -> None:
    half: Any
    for half in (Fraction(1, 2), np.float32(0.5)):
        assert CiderD(sigma=half) == CiderD(sigma=0.5)
        assert CiderD(sigma=half).signature() == CiderD(sigma=0.5).signature()
