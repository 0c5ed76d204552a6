"""Scores with their logarithms, so that tiny products do not underflow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import FloatArray

Numbers = Callable[[], FloatArray]  # computed when first asked for


class Scores:
    """Numbers from 0 to infinity by value, by logarithm, or both; the other is computed lazily.

    The probability of a long caption is below the smallest number that a computer has, and its
    perplexity may be above the largest; the logarithm of either is harmless.
    """

    def __init__(self, *, values: Numbers | None = None, logs: Numbers | None = None) -> None:
        self._values, self._logs = values, logs

    @cached_property
    def values(self) -> FloatArray:
        """The numbers themselves: 0 or infinite where out of a computer's range."""
        with np.errstate(over="ignore", under="ignore"):
            values: FloatArray = np.exp(self.logs) if self._values is None else self._values()
        return values

    @cached_property
    def logs(self) -> FloatArray:
        """Their natural logarithms, that of 0 being minus infinity."""
        with np.errstate(divide="ignore"):
            logs: FloatArray = np.log(self.values) if self._logs is None else self._logs()
        return logs

    @property
    def comparable(self) -> FloatArray:
        """Numbers in the scores' order: values, or logarithms where these are what is known."""
        return self.logs if self._values is None else self.values
