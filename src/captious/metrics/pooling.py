"""Pooling of the scores against several references into one."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.choices import check_choice

POOLS = ("max", "mean", "min")


def check_pool(metric: str, pool: str) -> None:
    """Raise an error for an unknown pooling method."""
    check_choice(f"{metric}: unknown pool", pool, POOLS)


def pool_scores(scores: FloatArray, offsets: IntArray, pool: str) -> FloatArray:
    """Return one score a sample from the scores of its pairs, of which each has at least one."""
    starts = offsets[:-1]
    if pool == "max":
        return np.maximum.reduceat(scores, starts)
    if pool == "min":
        return np.minimum.reduceat(scores, starts)
    return np.add.reduceat(scores, starts) / np.diff(offsets)
