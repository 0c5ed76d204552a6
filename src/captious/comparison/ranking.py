"""Ranks of systems, and how far they spread over resamples."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.stats.bootstrap import ROUNDING_TOLERANCE

SPREAD = (0.025, 0.975)  # the middle 95 % of ranks


def ranks(scores: FloatArray) -> IntArray:
    """Ranks along the first axis, 1 for the highest; equal scores share one, unknown are last.

    Corpus scores follow from sums, in which addends that come to the same may round differently:
    two are equal if they differ by no more than that, whatever others there are.
    """
    known = np.where(np.isnan(scores), -np.inf, scores)
    finite = np.where(np.isfinite(known), np.abs(known), 0)
    rounding = ROUNDING_TOLERANCE * np.maximum(finite[None, :], finite[:, None])
    higher = known[None, :] > known[:, None] + rounding  # [system, other]
    found: IntArray = 1 + np.count_nonzero(np.swapaxes(higher, 0, 1), axis=0)
    return found


def spread_of_ranks(draws: FloatArray) -> list[tuple[int, int]]:
    """Between which ranks each system lies in the middle of all resamples, its row's columns."""
    drawn = ranks(draws)
    ends = np.quantile(drawn, SPREAD, axis=1, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in ends.T]
