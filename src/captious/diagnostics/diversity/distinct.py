"""Distinct n-grams and captions, captions not seen in training, and use of a vocabulary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.diagnostics.diversity.systems import System
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER, Ngrams
from captious.text.tokens import Tokens, word_sequences


@dataclass(frozen=True)
class Distinct:
    """Distinct words, n-grams and captions among a number of captions.

    Shares are of all n-grams and captions there; NaN where there are none.
    """

    captions: int
    vocabulary: float
    distinct_1: float
    distinct_2: float
    distinct_captions: float


@dataclass(frozen=True)
class Occurrences:
    """In how many captions each distinct item occurs, and the total of all occurrences."""

    caption_counts: IntArray
    total: int

    def expected_distinct(self, captions: int, drawn: int) -> float:
        """The expected number of distinct items in `drawn` of the captions.

        The captions are drawn without replacement, so this is exact and needs no chance: ecology's
        rarefaction (Hurlbert, 1971). Of all captions it is the number of different ones.
        """
        counts = np.bincount(self.caption_counts)
        times = np.flatnonzero(counts)
        chances = _inclusion_probability(times, captions, drawn)
        return math.fsum((counts[times] * chances).tolist())

    def distinct_share(self, captions: int, drawn: int) -> float:
        """The expected number of distinct items, as a share of all occurrences."""
        total = self.total * drawn / captions
        return self.expected_distinct(captions, drawn) / total if total else math.nan


def distinct(analysis: Analysis, system: System, drawn: int) -> Distinct:
    """The expected distinct items of `drawn` captions of a system; exact counts for all."""
    words, bigrams = (_ngram_occurrences(analysis, system, n) for n in (1, 2))
    alike = _caption_occurrences(analysis, system)
    count = system.captions
    vocabulary = words.expected_distinct(count, drawn)
    return Distinct(
        drawn,
        int(vocabulary) if drawn == count else vocabulary,
        words.distinct_share(count, drawn),
        bigrams.distinct_share(count, drawn),
        alike.distinct_share(count, drawn),
    )


def mean_words(analysis: Analysis, system: System) -> float:
    """The mean number of words of a caption."""
    return float(analysis.layer(Tokens).pieces.lengths_at(system.rows.values).mean())


def _ngram_occurrences(analysis: Analysis, system: System, n: int) -> Occurrences:
    """Count the captions in which each n-gram of order n occurs."""
    repeated = system.repetitions(len(analysis.captions))
    used = np.flatnonzero(repeated)
    nodes = analysis.layer(Ngrams).nodes.take(used * MAX_ORDER + n - 1)
    caption_counts = np.bincount(nodes.values, np.repeat(repeated[used], nodes.lengths))
    lengths = np.maximum(analysis.layer(Tokens).pieces.lengths_at(used) - n + 1, 0)
    return Occurrences(
        caption_counts[caption_counts > 0].astype(np.int64), int(repeated[used] @ lengths)
    )


def _caption_occurrences(analysis: Analysis, system: System) -> Occurrences:
    """Count how often each distinct caption, as a sequence of words, occurs."""
    sequences = analysis.get_or_compute(
        "captions worded alike", lambda: _word_sequence_ids(analysis)
    )
    caption_counts = np.bincount(sequences[system.rows.values])
    return Occurrences(caption_counts[caption_counts > 0], system.captions)


def _word_sequence_ids(analysis: Analysis) -> IntArray:
    """A number for each distinct caption; captions with equal words share it."""
    numbers: dict[bytes, int] = {}
    of_rows = [numbers.setdefault(each, len(numbers)) for each in word_sequences(analysis)]
    return np.array(of_rows, np.int64)


def _inclusion_probability(times: IntArray, captions: int, drawn: int) -> FloatArray:
    """The probability that at least one of so many captions is drawn, for each of `times`.

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


def analyse_beside(systems: Analysis, captions: Sequence[str]) -> Analysis:
    """Analyse other captions with the word ids of the systems' analysis."""
    return Analysis(unique_rows(captions)[0], systems.tokenizer, systems)


def novel_share(systems: Analysis, system: System, training: Analysis) -> float:
    """The share of a system's captions that are not among the training captions."""
    seen = training.get_or_compute("word sequences", lambda: frozenset(word_sequences(training)))
    is_new = np.array([words not in seen for words in word_sequences(systems)], np.bool_)
    return float(is_new[system.rows.values].mean())


def vocabulary_share(systems: Analysis, system: System, references: Analysis) -> float:
    """The share of the references' vocabulary that a system uses; NaN where that has no words."""
    theirs = np.unique(references.layer(Tokens).pieces.values)
    mine = systems.layer(Tokens).pieces.take(np.unique(system.rows.values)).values
    return float(np.isin(theirs, mine).mean()) if len(theirs) else float("nan")
