"""SPICE from captions to scores beside what the original gave for them (../shared/parity/spice)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious

pytestmark = pytest.mark.slow

# Smallest first: the others' corpus scores differ by no less than .003 from it.
FILES = ["coco_5000_vinyals2017", "coco_1000_dai2017", "coco_1000_liu2017"]


def read(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))["rows"]


@pytest.fixture(scope="module")
def scores(shared: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Ours and the original's for each caption, by system."""
    actual = {}
    for name in FILES:
        rows = read(shared / "parity" / f"{name}.json.gz")
        result = captious.score(
            [row["candidate"] for row in rows], [row["references"] for row in rows], ["spice"]
        )
        original = [row["f"] for row in read(shared / "parity" / "spice" / f"{name}.json.gz")]
        actual[name] = result.samples["spice"], np.array(original)
    return actual


@pytest.mark.parametrize("name", FILES)
def test_scores_correlate_with_the_originals(
    scores: dict[str, tuple[np.ndarray, np.ndarray]], name: str
) -> None:
    ours, original = scores[name]
    assert np.corrcoef(ours, original)[0, 1] >= 0.96
    assert abs(ours.mean() - original.mean()) < 0.003


def test_systems_rank_like_the_originals(
    scores: dict[str, tuple[np.ndarray, np.ndarray]],
) -> None:
    means = [[side.mean() for side in scores[name]] for name in FILES]
    assert sorted(means, key=lambda mean: mean[0]) == sorted(means, key=lambda mean: mean[1])
