"""The functions of the four tiers, by name.

Tiers 1 and 2 select words of each caption, by whether the captioner ranked them first, and compute
one score from those. Tiers 3 and 4 turn many scores into one, for each image and then for the data
set. Scores have their logarithms with them, so that tiny products do not underflow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.pregen.inputs import BoolArray
from captious.pregen.probabilities import WordProbabilities

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


def none(words: WordProbabilities, variant: str) -> BoolArray:
    """Every word."""
    return np.ones(len(words.probabilities), dtype=np.bool_)


def filter0(words: WordProbabilities, variant: str) -> BoolArray:
    """The words ranked first; as released, the other ones, which is what was published."""
    return ~words.is_first if variant == "released" else words.is_first


def prefix0(words: WordProbabilities, variant: str) -> BoolArray:
    """The words before the first one that was not ranked first."""
    starts = words.caption_offsets[:-1]
    missed = np.cumsum(~words.is_first)  # words not ranked first so far, in all captions
    before: IntArray = missed[starts] - ~words.is_first[starts]
    prefix: BoolArray = missed == np.repeat(before, words.lengths)
    return prefix


FILTERS = {function.__name__: function for function in (none, filter0, prefix0)}


class SelectedWords:
    """Captions whose words went through a filter."""

    def __init__(self, words: WordProbabilities, selected: BoolArray, word_scores: Scores) -> None:
        self.words, self.selected, self._word_scores = words, selected, word_scores

    @cached_property
    def counts(self) -> FloatArray:
        """How many words of each caption were selected."""
        starts = self.words.caption_offsets[:-1]
        return np.add.reduceat(self.selected, starts, dtype=np.int64).astype(np.float64)

    @cached_property
    def log_products(self) -> FloatArray:
        """The logarithm of the product of each caption's selected probabilities."""
        logs = np.where(self.selected, self._word_scores.logs, 0.0)
        return np.add.reduceat(logs, self.words.caption_offsets[:-1])


def prob(selection: SelectedWords) -> Scores:
    """The product of the probabilities; 0 where no word was selected."""
    return Scores(logs=lambda: np.where(selection.counts > 0, selection.log_products, -np.inf))


def pplx(selection: SelectedWords) -> Scores:
    """Perplexity; infinite where no word was selected, or where one has probability 0."""

    def logs() -> FloatArray:
        means = selection.log_products / np.maximum(selection.counts, 1)
        return np.where(selection.counts > 0, -means, np.inf)

    return Scores(logs=logs)


def count(selection: SelectedWords) -> Scores:
    """How many words were selected."""
    return Scores(values=lambda: selection.counts)


def normcount(selection: SelectedWords) -> Scores:
    """The share of words that were selected, the end token being a word."""
    return Scores(values=lambda: selection.counts / selection.words.lengths)


SENTENCES = {function.__name__: function for function in (prob, pplx, count, normcount)}


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
    def median_indices(self) -> tuple[IntArray, IntArray]:
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
        low, high = groups.median_indices
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
