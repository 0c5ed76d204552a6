"""Percentile intervals of figures that were computed again over resampled images."""

from __future__ import annotations

import math

from captious.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.resampling import percentile_interval


def percentile_intervals(drawn: FloatArray) -> list[tuple[float, float]]:
    """The middle 95 % of every column; a draw that tells nothing of a figure is NaN."""
    intervals = [percentile_interval(column) for column in drawn.T]
    if any(math.isnan(low) for low, _ in intervals):
        raise InputError("too few images for intervals; take more images or more resamples")
    return intervals
