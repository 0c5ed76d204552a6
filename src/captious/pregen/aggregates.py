"""Tiers 3 and 4: many scores become one, for each image and then for the data set.

Both tiers are one mechanism: scores in groups, where a data set is a single group of images.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.pregen.scores import Scores


class Groups:
    """Scores in consecutive groups, none of which is empty."""

    def __init__(self, scores: Scores, offsets: IntArray) -> None:
        self.scores, self.offsets = scores, offsets
        self.sizes = np.diff(offsets)

    def reduce(self, function: np.ufunc, numbers: FloatArray) -> FloatArray:
        """Reduce every group by a function of two numbers, from left to right."""
        if len(self.sizes) == 1:  # which sums in pairs, and so with less rounding
            return np.array([function.reduce(numbers)])
        reduced: FloatArray = function.reduceat(numbers, self.offsets[:-1])
        return reduced

    @cached_property
    def middles(self) -> tuple[IntArray, IntArray]:
        """Indices of the lower and the upper median of every group; equal if its size is odd."""
        numbers = self.scores.comparable
        if len(self.sizes) == 1:
            order = np.argsort(numbers)
        else:
            order = np.lexsort((numbers, np.repeat(np.arange(len(self.sizes)), self.sizes)))
        starts = self.offsets[:-1]
        return order[starts + (self.sizes - 1) // 2], order[starts + self.sizes // 2]


def total(groups: Groups) -> Scores:
    """The sum."""
    scores = groups.scores
    return Scores(
        values=lambda: groups.reduce(np.add, scores.values),
        logs=lambda: groups.reduce(np.logaddexp, scores.logs),
    )


def mean(groups: Groups) -> Scores:
    """The arithmetic mean."""
    sums = total(groups)
    return Scores(
        values=lambda: sums.values / groups.sizes, logs=lambda: sums.logs - np.log(groups.sizes)
    )


def median(groups: Groups) -> Scores:
    """The middle, or halfway between the two middle ones."""

    def between(numbers: FloatArray, halfway: Callable[..., FloatArray]) -> FloatArray:
        low, high = groups.middles
        return np.where(low == high, numbers[low], halfway(numbers[low], numbers[high]))

    return Scores(
        values=lambda: between(groups.scores.values, lambda low, high: low / 2 + high / 2),
        logs=lambda: between(
            groups.scores.logs, lambda low, high: np.logaddexp(low, high) - np.log(2)
        ),
    )


def geomean(groups: Groups) -> Scores:
    """The geometric mean: 0 if one score is 0, infinite if one is infinite."""
    return Scores(logs=lambda: groups.reduce(np.add, groups.scores.logs) / groups.sizes)


def largest(groups: Groups) -> Scores:
    """The largest."""
    return _extreme(groups, np.maximum)


def smallest(groups: Groups) -> Scores:
    """The smallest."""
    return _extreme(groups, np.minimum)


def _extreme(groups: Groups, function: np.ufunc) -> Scores:
    return Scores(
        values=lambda: groups.reduce(function, groups.scores.values),
        logs=lambda: groups.reduce(function, groups.scores.logs),
    )


AGGREGATES: dict[str, Callable[[Groups], Scores]] = {
    "sum": total,
    "mean": mean,
    "median": median,
    "geomean": geomean,
    "max": largest,
    "min": smallest,
}
