"""Scores beside their logarithms, so that tiny products survive until the end."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from captious.ragged import FloatArray


class Scores:
    """Numbers from 0 to infinity, known by value or by logarithm; the other follows when asked.

    The probability of a long caption is below the smallest number that a computer has, and its
    perplexity may be above the largest; the logarithm of either is harmless.
    """

    def __init__(self, values: FloatArray | None = None, logs: FloatArray | None = None) -> None:
        if values is not None:
            self.values = values
        if logs is not None:
            self.logs = logs

    @cached_property
    def values(self) -> FloatArray:
        """The numbers themselves: 0 or infinite where out of a computer's range."""
        with np.errstate(over="ignore", under="ignore"):
            values: FloatArray = np.exp(self.logs)
        return values

    @cached_property
    def logs(self) -> FloatArray:
        """Their natural logarithms, that of 0 being minus infinity."""
        with np.errstate(divide="ignore"):
            logs: FloatArray = np.log(self.values)
        return logs
