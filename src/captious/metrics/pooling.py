"""How the scores against several references become one."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.choices import check_choice

POOLS = ("max", "mean", "min")


def check_pool(metric: str, pool: str) -> None:
    """Stop before the work where there is no such way to pool."""
    check_choice(f"{metric}: unknown pool", pool, POOLS)


def pool_scores(scores: FloatArray, offsets: IntArray, pool: str) -> FloatArray:
    """One score a sample, from those of its pairs; every sample has at least one."""
    starts = offsets[:-1]
    if pool == "max":
        return np.maximum.reduceat(scores, starts)
    if pool == "min":
        return np.minimum.reduceat(scores, starts)
    return np.add.reduceat(scores, starts) / np.diff(offsets)
