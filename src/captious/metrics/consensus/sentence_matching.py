"""Sentence matching of long captions: precision and recall over aligned sentences.

The vector sum of a hundred words is near to that of any other hundred. So where a candidate or one
of its references has several sentences, each candidate sentence is compared with the nearest
sentence of every reference (precision: is it supported?), and with all reference sentences that it
is the nearest to (recall: are they covered?). Where every caption is one sentence, both sides are
the sample itself: nothing changes for short captions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.nearest_rows import find_nearest_rows
from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, distinct, offsets_of
from captious.samples import References, Samples, unique_rows
from captious.text.analysis import Analysis
from captious.text.sentences import Sentences
from captious.text.tokens import Tokens
from captious.text.vectors.caption_vectors import CaptionSpace, all_caption_vectors

ScoreSamples = Callable[[Samples], FloatArray]  # one number a sample


@dataclass(frozen=True, eq=False)
class SentenceSamples:
    """Sentences of long samples, each a sample of its own, grouped by long sample."""

    samples: Samples
    owners: IntArray  # ascending, from 0 on without a gap
    words: IntArray  # the weight of each sentence

    def mean(self, scores: FloatArray) -> FloatArray:
        """Return the mean over each owner's sentences, weighted by `words`."""
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        weights = self.words.astype(np.float64)
        totals = np.add.reduceat(weights, starts)
        sums = np.add.reduceat(weights * scores, starts)
        return np.divide(sums, totals, out=np.zeros(len(starts)), where=totals > 0)


@dataclass(frozen=True, eq=False)
class LongSamples:
    """Samples with several sentences in the candidate or a reference, split into sentences."""

    indices: IntArray  # among all samples
    precision_side: SentenceSamples  # each candidate sentence, the nearest of every reference
    recall_side: SentenceSamples  # the same, with all sentences that it is the nearest to

    def others(self, count: int) -> IntArray:
        """Return the indices of the short ones among so many samples."""
        is_short = np.ones(count, np.bool_)
        is_short[self.indices] = False
        return np.flatnonzero(is_short)

    @classmethod
    def find(cls, samples: Samples, space: CaptionSpace) -> LongSamples | None:
        """Return the long samples, split once; None where all captions are one sentence."""
        return samples.get_or_compute(
            ("long samples", space.signature), lambda: _split_long_samples(samples, space)
        )


def short_images(references: References) -> IntArray:
    """Return the images of which every reference is one sentence; others are only compared by it.

    What metrics prepare of the other images would never be read.
    """
    has_several, rows = references.analysis.layer(Sentences).has_several, references.rows
    several = np.bincount(rows.owners, has_several[rows.values], minlength=len(rows))
    return np.flatnonzero(several == 0)


def score_by_sentence(samples: Samples, space: CaptionSpace, score: ScoreSamples) -> FloatArray:
    """Score each sample; a long one by the mean of its precision and its recall over sentences."""
    if (long := LongSamples.find(samples, space)) is None:
        return score(samples)
    scores = np.empty(len(samples))
    if len(short := long.others(len(samples))):
        scores[short] = score(samples.take(short))
    precision, recall = (
        side.mean(score(side.samples)) for side in (long.precision_side, long.recall_side)
    )
    scores[long.indices] = (precision + recall) / 2
    return scores


@dataclass(frozen=True, eq=False)
class _CaptionSentences:
    """The sentences of some captions, each different one analysed once."""

    analysis: Analysis
    rows: Ragged  # in the analysis, caption by caption

    @classmethod
    def of(cls, captions: Analysis, rows: IntArray, base: Analysis | None) -> _CaptionSentences:
        """Split the captions at `rows`, which may repeat."""
        sentences, used = captions.layer(Sentences), distinct(rows)
        texts, offsets = sentences.of_captions(used, captions)
        different, numbers = unique_rows(texts)
        return cls(
            Analysis(different, captions.tokenizer, base, captions.cache),
            Ragged(numbers, offsets).take(np.searchsorted(used, rows)),
        )


def _find_long_samples(samples: Samples) -> IntArray:
    """Return which samples have a caption of several sentences."""
    candidates = samples.candidates.layer(Sentences)
    references = samples.references.analysis.layer(Sentences)
    if not (candidates.texts or references.texts):  # the usual case
        return np.zeros(0, np.int64)
    has_several = references.has_several[samples.pairs.values]
    is_long = np.logical_or.reduceat(has_several, samples.pairs.offsets[:-1])
    is_long |= candidates.has_several[samples.rows]
    return np.flatnonzero(is_long)


def _split_long_samples(samples: Samples, space: CaptionSpace) -> LongSamples | None:
    """Split the samples that have a caption of several sentences; None where there is none."""
    indices = _find_long_samples(samples)
    if not len(indices):
        return None
    pairs = samples.pairs.take(indices)
    references = _CaptionSentences.of(samples.references.analysis, pairs.values, None)
    candidates = _CaptionSentences.of(
        samples.candidates, samples.rows[indices], references.analysis
    )
    vectors, others = (
        all_caption_vectors(each.analysis, space) for each in (candidates, references)
    )
    nearest, nearest_to = find_nearest_rows(
        vectors, candidates.rows, others, references.rows, pairs.offsets
    )
    supporting = Ragged(references.rows.values[nearest.values], nearest.offsets)
    by_nearest = np.argsort(nearest_to, kind="stable")
    counts = np.bincount(nearest_to, minlength=len(nearest))
    some = np.flatnonzero(counts)  # of the candidates' sentences, those nearest to any
    covered = Ragged(references.rows.values[by_nearest], offsets_of(counts[some]))
    words, other_words = (
        each.analysis.layer(Tokens).ids.lengths for each in (candidates, references)
    )

    def side(places: IntArray, beside: Ragged, weights: IntArray) -> SentenceSamples:
        sentences = Samples.of_analysis(
            candidates.analysis,
            candidates.rows.values[places],
            np.arange(len(places)),
            References.of_analysis(references.analysis, beside),
        )
        return SentenceSamples(sentences, candidates.rows.owners[places], weights)

    every = np.arange(len(nearest))
    return LongSamples(
        indices,
        side(every, supporting, words[candidates.rows.values]),
        side(some, covered, np.add.reduceat(other_words[covered.values], covered.offsets[:-1])),
    )
