"""Tiers 3 and 4: many scores become one, for each image and then for the data set.

Both tiers are one mechanism: scores in groups, where a data set is a single group of images.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from captious.pregen.scores import Scores
from captious.ragged import FloatArray, IntArray

HALF = float(np.log(0.5))


class Groups:
    """Scores that stand in groups, one after another; no group is empty."""

    def __init__(self, scores: Scores, offsets: IntArray) -> None:
        self.scores, self.offsets = scores, offsets
        self.sizes = np.diff(offsets)

    def reduce(self, function: np.ufunc, numbers: FloatArray) -> FloatArray:
        """A function of two numbers, from left to right through every group."""
        if len(self.sizes) == 1:  # which sums in pairs, and so with less rounding
            return np.array([function.reduce(numbers)])
        reduced: FloatArray = function.reduceat(numbers, self.offsets[:-1])
        return reduced

    @cached_property
    def middles(self) -> tuple[IntArray, IntArray]:
        """Where the lower and the upper middle of every group stand; the same if it is odd."""
        numbers = _either(self.scores)
        if len(self.sizes) == 1:
            order = np.argsort(numbers)
        else:
            order = np.lexsort((numbers, np.repeat(np.arange(len(self.sizes)), self.sizes)))
        starts = self.offsets[:-1]
        return order[starts + (self.sizes - 1) // 2], order[starts + self.sizes // 2]


class _Sum(Scores):
    """Sums: added as numbers for their value, and as logarithms for their logarithm."""

    def __init__(self, groups: Groups, factor: FloatArray | float = 1.0) -> None:
        super().__init__()
        self._groups, self._factor = groups, factor

    @cached_property
    def values(self) -> FloatArray:
        with np.errstate(over="ignore"):
            return self._groups.reduce(np.add, self._groups.scores.values) / self._factor

    @cached_property
    def logs(self) -> FloatArray:
        return self._groups.reduce(np.logaddexp, self._groups.scores.logs) - np.log(self._factor)


class _Picked(Scores):
    """The middle of every group, or halfway between the two middles."""

    def __init__(self, groups: Groups) -> None:
        super().__init__()
        self._groups = groups

    @cached_property
    def values(self) -> FloatArray:
        low, high = self._groups.middles
        values = self._groups.scores.values
        with np.errstate(over="ignore"):
            return np.where(low == high, values[low], values[low] / 2 + values[high] / 2)

    @cached_property
    def logs(self) -> FloatArray:
        low, high = self._groups.middles
        logs = self._groups.scores.logs
        return np.where(low == high, logs[low], np.logaddexp(logs[low], logs[high]) + HALF)


class _Extreme(Scores):
    """The largest or the smallest of every group."""

    def __init__(self, groups: Groups, function: np.ufunc) -> None:
        super().__init__()
        self._groups, self._function = groups, function

    @cached_property
    def values(self) -> FloatArray:
        return self._groups.reduce(self._function, self._groups.scores.values)

    @cached_property
    def logs(self) -> FloatArray:
        return self._groups.reduce(self._function, self._groups.scores.logs)


def total(groups: Groups) -> Scores:
    """The sum."""
    return _Sum(groups)


def mean(groups: Groups) -> Scores:
    """The arithmetic mean."""
    return _Sum(groups, groups.sizes.astype(np.float64))


def median(groups: Groups) -> Scores:
    """The middle, or halfway between the two middle ones."""
    return _Picked(groups)


def geomean(groups: Groups) -> Scores:
    """The geometric mean: 0 if one score is 0, infinite if one is infinite."""
    return Scores(logs=groups.reduce(np.add, groups.scores.logs) / groups.sizes)


def largest(groups: Groups) -> Scores:
    """The largest."""
    return _Extreme(groups, np.maximum)


def smallest(groups: Groups) -> Scores:
    """The smallest."""
    return _Extreme(groups, np.minimum)


AGGREGATES: dict[str, Callable[[Groups], Scores]] = {
    "sum": total,
    "mean": mean,
    "median": median,
    "geomean": geomean,
    "max": largest,
    "min": smallest,
}


def _either(scores: Scores) -> FloatArray:
    """Whichever is known already: values and logarithms have one order."""
    return scores.logs if "logs" in vars(scores) else scores.values
