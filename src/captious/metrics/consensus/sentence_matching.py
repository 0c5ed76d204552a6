"""Sentence matching of long captions: precision and recall over aligned sentences.

The vector sum of a hundred words is near to that of any other hundred. So where a candidate or one
of its references has several sentences, each candidate sentence is compared with the nearest
sentence of every reference (precision: is it supported?), and with all reference sentences that it
is the nearest to (recall: are they covered?). Where every caption is one sentence, both sides are
the sample itself: nothing changes for short captions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, offsets_of
from captious._internal.arrays.row_products import PackedMatrix
from captious.samples import References, Samples, unique_rows
from captious.text.analysis import Analysis
from captious.text.sentences import Sentences
from captious.text.tokens import Tokens
from captious.text.vectors.caption_vectors import CaptionSpace, Vectors, all_caption_vectors

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

    @classmethod
    def find(cls, samples: Samples, space: CaptionSpace) -> LongSamples | None:
        """Return the long samples, split once; None where all captions are one sentence."""
        return samples.get_or_compute(
            ("long samples", space.signature), lambda: _split_long_samples(samples, space)
        )


def score_by_sentence(samples: Samples, space: CaptionSpace, score: ScoreSamples) -> FloatArray:
    """Score each sample; a long one by the mean of its precision and its recall over sentences."""
    scores = score(samples)
    if (long := LongSamples.find(samples, space)) is not None:
        precision, recall = (
            side.mean(score(side.samples)) for side in (long.precision_side, long.recall_side)
        )
        scores[long.indices] = (precision + recall) / 2
    return scores


@dataclass(eq=False)
class _SideBuilder:
    """Collects sentences, the references of each, and its weight in words."""

    candidates: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)

    def add(self, owner: int, candidate: str, references: list[str], words: int) -> None:
        self.candidates.append(candidate)
        self.references.append(references)
        self.owners.append(owner)
        self.words.append(words)

    def build(self, like: Analysis) -> SentenceSamples:
        counts = np.fromiter(map(len, self.references), np.int64, len(self.references))
        flat = list(chain.from_iterable(self.references))
        references = References(flat, offsets_of(counts), like.tokenizer, like.cache)
        samples = Samples(self.candidates, np.arange(len(counts)), references)
        return SentenceSamples(samples, np.array(self.owners), np.array(self.words))


@dataclass(frozen=True, eq=False)
class _SentenceVectors:
    """Unique sentences with their vectors and numbers of words."""

    row_of: dict[str, int]
    vectors: Vectors
    words: IntArray

    @classmethod
    def of(cls, sentences: Sequence[str], tokenizer: str, space: CaptionSpace) -> _SentenceVectors:
        different, _ = unique_rows(sentences)
        analysis = Analysis(different, tokenizer)
        words = analysis.layer(Tokens).ids.lengths
        rows = {sentence: row for row, sentence in enumerate(different)}
        return cls(rows, all_caption_vectors(analysis, space), words)

    def rows(self, sentences: Sequence[str]) -> list[int]:
        return [self.row_of[sentence] for sentence in sentences]


def _split_long_samples(samples: Samples, space: CaptionSpace) -> LongSamples | None:
    """Split the samples that have a caption of several sentences; None where there is none."""
    candidate_analysis, reference_analysis = samples.candidates, samples.references.analysis
    candidate_sentences, reference_sentences = (
        candidate_analysis.layer(Sentences),
        reference_analysis.layer(Sentences),
    )
    if not (candidate_sentences.several or reference_sentences.several):  # the usual case
        return None
    has_several = reference_sentences.has_several[samples.pairs.values]
    is_long = np.logical_or.reduceat(has_several, samples.pairs.offsets[:-1])
    is_long |= candidate_sentences.has_several[samples.rows]
    indices = np.flatnonzero(is_long)
    if not len(indices):
        return None
    pairs = samples.pairs.take(indices)
    candidates = [
        candidate_sentences.of(row, candidate_analysis) for row in samples.rows[indices].tolist()
    ]
    references = [reference_sentences.of(row, reference_analysis) for row in pairs.values.tolist()]
    texts = list(chain.from_iterable([*candidates, *references]))
    sentences = _SentenceVectors.of(texts, reference_analysis.tokenizer, space)
    precision_side, recall_side = _SideBuilder(), _SideBuilder()
    for owner, (start, end) in enumerate(pairwise(pairs.offsets.tolist())):
        _match(
            owner,
            candidates[owner],
            references[start:end],
            sentences,
            precision_side,
            recall_side,
        )
    return LongSamples(
        indices, precision_side.build(reference_analysis), recall_side.build(reference_analysis)
    )


def _match(
    owner: int,
    candidate: list[str],
    references: list[list[str]],
    sentences: _SentenceVectors,
    precision_side: _SideBuilder,
    recall_side: _SideBuilder,
) -> None:
    """Add the sentences of one long sample to both sides, each with its nearest ones."""
    flat = list(chain.from_iterable(references))
    candidate_rows, reference_rows = sentences.rows(candidate), sentences.rows(flat)
    cosines = PackedMatrix(sentences.vectors[reference_rows].T).multiply(
        sentences.vectors[candidate_rows]
    )
    bounds = offsets_of(np.fromiter(map(len, references), np.int64, len(references))).tolist()
    nearest = [
        cosines[:, start:end].argmax(axis=1) + start for start, end in pairwise(bounds)
    ]  # of each reference, by sentence of the candidate
    nearest_to = cosines.argmax(axis=0)  # by sentence of the references
    for place, sentence in enumerate(candidate):
        nearest_sentences = [flat[each[place]] for each in nearest]
        precision_side.add(
            owner, sentence, nearest_sentences, int(sentences.words[candidate_rows[place]])
        )
        if len(nearby := np.flatnonzero(nearest_to == place)):
            words = sum(int(sentences.words[reference_rows[each]]) for each in nearby)
            recall_side.add(owner, sentence, [flat[each] for each in nearby], words)
