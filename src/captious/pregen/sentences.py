"""Tiers 1 and 2: select words of each caption, and compute one score from those.

Words count by whether the captioner ranked them first.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.pregen.layouts import BoolArray
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scores import Scores


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


def prob(chosen: SelectedWords) -> Scores:
    """The product of the probabilities; 0 where no word was selected."""
    return Scores(logs=lambda: np.where(chosen.counts > 0, chosen.log_products, -np.inf))


def pplx(chosen: SelectedWords) -> Scores:
    """Perplexity; infinite where no word was selected, or where one has probability 0."""

    def logs() -> FloatArray:
        means = chosen.log_products / np.maximum(chosen.counts, 1)
        return np.where(chosen.counts > 0, -means, np.inf)

    return Scores(logs=logs)


def count(chosen: SelectedWords) -> Scores:
    """How many words were selected."""
    return Scores(values=lambda: chosen.counts)


def normcount(chosen: SelectedWords) -> Scores:
    """The share of words that were selected, the end token being a word."""
    return Scores(values=lambda: chosen.counts / chosen.words.lengths)


SENTENCES = {function.__name__: function for function in (prob, pplx, count, normcount)}
