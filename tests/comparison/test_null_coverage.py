"""Intervals of differences between two systems that do not differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import captious
from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, mean_statistics
from captious.result import Result
from captious.samples import Samples

IMAGES = 30
TRIALS_PER_COMPARISON, COMPARISONS = 300, 8
RESAMPLES = 200  # which suffice for many trials
NOMINAL_SHARE = 0.05  # of 95% intervals that miss the truth


@dataclass(frozen=True)
class Trial(Metric):
    """A metric that stands for one trial: its statistics are given."""

    name: str = "trial"
    columns: tuple[str, ...] = ("trial",)

    def statistics(self, samples: Samples, prepared: object) -> FloatArray:
        raise NotImplementedError("they are given")


def draw_systems(seed: int) -> tuple[Result, Result]:
    """Two systems that exchanged their captions by a coin, once for each trial."""
    rng = np.random.default_rng(seed)
    names = tuple(f"trial_{number}" for number in range(TRIALS_PER_COMPARISON))
    metrics = tuple(Trial(name, (name,)) for name in names)
    shape = (TRIALS_PER_COMPARISON, IMAGES)
    good, bad = rng.normal(0.6, 0.1, shape), rng.normal(0.5, 0.1, shape)
    is_exchanged = rng.integers(2, size=shape) == 1

    def statistics_of(scores: FloatArray) -> dict[str, FloatArray]:
        return dict(zip(names, map(mean_statistics, scores), strict=True))

    a, b = (
        Result(range(IMAGES), metrics, names, statistics_of(scores))
        for scores in (np.where(is_exchanged, good, bad), np.where(is_exchanged, bad, good))
    )
    return a, b


def share_excluding_zero(**options: Any) -> float:
    """Return how often the interval of the difference says that the systems differ."""
    intervals = [
        row.interval
        for seed in range(COMPARISONS)
        for row in captious.compare(
            *draw_systems(seed), resamples=RESAMPLES, seed=seed, **options
        ).rows
    ]
    return float(np.mean([not low <= 0 <= high for low, high in intervals]))


@pytest.mark.slow
def test_default_intervals_exclude_no_difference_as_rarely_as_they_promise() -> None:
    trials = TRIALS_PER_COMPARISON * COMPARISONS
    error = math.sqrt(NOMINAL_SHARE * (1 - NOMINAL_SHARE) / trials)
    reach = NormalDist().inv_cdf(0.975) * error  # of a binomial share
    assert abs(share_excluding_zero() - NOMINAL_SHARE) < reach
    # The test can tell: percentiles of so few images are too narrow.
    assert share_excluding_zero(method="percentile") > NOMINAL_SHARE + reach
