"""The logistic function, without overflow."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray


def logistic(margins: FloatArray) -> FloatArray:
    """1 / (1 + exp(-x)), without overflow."""
    small = np.exp(-np.abs(margins))
    chances: FloatArray = np.where(margins >= 0, 1.0, small) / (1.0 + small)
    return chances
