"""Distinct n-grams and captions, of all captions and of as many as every system has."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.diagnostics.diversity.systems import System
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER, Ngrams
from captious.text.tokens import Tokens, word_sequences


@dataclass(frozen=True)
class Distinct:
    """Different words, n-grams and captions among a number of captions.

    Shares are of all n-grams and captions there; NaN where there are none.
    """

    captions: int
    vocabulary: float
    distinct_1: float
    distinct_2: float
    distinct_captions: float


@dataclass(frozen=True)
class Occurrences:
    """In how many of a system's captions each different thing occurs, and how often all do."""

    holders: IntArray
    total: int

    def expected(self, captions: int, drawn: int) -> float:
        """How many different ones `drawn` of the captions have, on average over all draws.

        The captions are drawn without replacement, so this is exact and needs no chance: ecology's
        rarefaction (Hurlbert, 1971). Of all captions it is the number of different ones.
        """
        counts = np.bincount(self.holders)
        times = np.flatnonzero(counts)
        chances = _chance_to_be_drawn(times, captions, drawn)
        return math.fsum((counts[times] * chances).tolist())

    def distinct(self, captions: int, drawn: int) -> float:
        """That number, as a share of as many as so many captions have on average."""
        total = self.total * drawn / captions
        return self.expected(captions, drawn) / total if total else math.nan


def distinct(analysis: Analysis, system: System, drawn: int) -> Distinct:
    """What `drawn` of a system's captions have on average; of all, what they have."""
    words, bigrams = (_ngrams(analysis, system, n) for n in (1, 2))
    alike = _captions(analysis, system)
    count = system.captions
    vocabulary = words.expected(count, drawn)
    return Distinct(
        drawn,
        int(vocabulary) if drawn == count else vocabulary,
        words.distinct(count, drawn),
        bigrams.distinct(count, drawn),
        alike.distinct(count, drawn),
    )


def mean_words(analysis: Analysis, system: System) -> float:
    """The mean number of words of a caption."""
    return float(analysis.layer(Tokens).pieces.lengths_at(system.rows.values).mean())


def _ngrams(analysis: Analysis, system: System, n: int) -> Occurrences:
    """The n-grams of n words, each with the number of captions that have it."""
    repeated = system.repetitions(len(analysis.captions))
    used = np.flatnonzero(repeated)
    nodes = analysis.layer(Ngrams).nodes.take(used * MAX_ORDER + n - 1)
    holders = np.bincount(nodes.values, np.repeat(repeated[used], nodes.lengths))
    lengths = np.maximum(analysis.layer(Tokens).pieces.lengths_at(used) - n + 1, 0)
    return Occurrences(holders[holders > 0].astype(np.int64), int(repeated[used] @ lengths))


def _captions(analysis: Analysis, system: System) -> Occurrences:
    """The captions that have other words or another order of words."""
    sequences = analysis.get_or_compute("captions worded alike", lambda: _numbered(analysis))
    holders = np.bincount(sequences[system.rows.values])
    return Occurrences(holders[holders > 0], system.captions)


def _numbered(analysis: Analysis) -> IntArray:
    """Each different caption by a number, the same where all words are the same."""
    numbers: dict[bytes, int] = {}
    of_rows = [numbers.setdefault(each, len(numbers)) for each in word_sequences(analysis)]
    return np.array(of_rows, np.int64)


def _chance_to_be_drawn(times: IntArray, captions: int, drawn: int) -> FloatArray:
    """How likely one of so many captions is among those that are drawn, for each of `times`.

    None is drawn with chance C(captions - times, drawn) / C(captions, drawn): a product of `drawn`
    factors or, the other way round, of `times`, of which the shorter is taken.
    """
    chances = np.ones(len(times))
    few = times <= min(drawn, captions - drawn)
    most = int(times[few].max(initial=0))
    none_drawn = np.cumsum(np.log1p(-drawn / (captions - np.arange(most))))
    chances[few] = -np.expm1(none_drawn[times[few] - 1])
    for place in np.flatnonzero((times > drawn) & (times <= captions - drawn)).tolist():
        factors = np.log1p(-times[place] / (captions - np.arange(drawn)))
        chances[place] = -np.expm1(factors.sum())
    return chances
