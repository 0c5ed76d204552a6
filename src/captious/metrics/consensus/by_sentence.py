"""Long captions, sentence by sentence: what is said beside what it is said of, both ways.

A sum of a hundred words is near to any other. So where a candidate or one of its references has
several sentences, each sentence of the candidate is held against the nearest one of each reference
(is what it says so?), and against all of the references' sentences that it is the nearest to (is
what they say said?). Where everything is one sentence, both are the sample itself: nothing changes
for short captions.
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
from captious.text.vectors.caption_vectors import CaptionSpace, Vectors, every_caption

Numbers = Callable[[Samples], FloatArray]  # a row for each sample


@dataclass(frozen=True, eq=False)
class SentenceSamples:
    """Sentences of long samples, each a sample of its own, one owner's after another's."""

    samples: Samples
    owners: IntArray  # ascending, from 0 on without a gap
    words: IntArray  # how many speak for a sentence

    def mean(self, numbers: FloatArray) -> FloatArray:
        """The mean over each owner's sentences, each as often as words speak for it."""
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        weights = self.words.astype(np.float64)
        totals = np.add.reduceat(weights, starts)
        sums = np.add.reduceat(weights * numbers, starts)
        return np.divide(sums, totals, out=np.zeros(len(starts)), where=totals > 0)


@dataclass(frozen=True, eq=False)
class LongSamples:
    """Samples of which one side has several sentences, and these both ways."""

    places: IntArray  # among all samples
    said: SentenceSamples  # the candidate's, each beside the nearest of every reference
    asked: SentenceSamples  # the same, each beside all those that it is the nearest to

    @classmethod
    def among(cls, samples: Samples, space: CaptionSpace) -> LongSamples | None:
        """Those of some samples, matched once; nothing where all captions are one sentence."""
        return samples.get_or_compute(
            ("long samples", space.signature), lambda: _taken_apart(samples, space)
        )


def both_ways(samples: Samples, space: CaptionSpace, numbers: Numbers) -> FloatArray:
    """A number for each sample; for a long one the mean of those of its sentences, both ways."""
    every = numbers(samples)
    if (long := LongSamples.among(samples, space)) is not None:
        said, asked = (each.mean(numbers(each.samples)) for each in (long.said, long.asked))
        every[long.places] = (said + asked) / 2
    return every


@dataclass(eq=False)
class _Side:
    """Sentences and what each is held against, as they are found."""

    candidates: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)

    def add(self, owner: int, candidate: str, references: list[str], words: int) -> None:
        self.candidates.append(candidate)
        self.references.append(references)
        self.owners.append(owner)
        self.words.append(words)

    def made(self, like: Analysis) -> SentenceSamples:
        counts = np.fromiter(map(len, self.references), np.int64, len(self.references))
        flat = list(chain.from_iterable(self.references))
        references = References(flat, offsets_of(counts), like.tokenizer, like.cache)
        samples = Samples(self.candidates, np.arange(len(counts)), references)
        return SentenceSamples(samples, np.array(self.owners), np.array(self.words))


@dataclass(frozen=True, eq=False)
class _Placed:
    """Different sentences with their vectors and numbers of words."""

    row_of: dict[str, int]
    vectors: Vectors
    words: IntArray

    @classmethod
    def of(cls, sentences: Sequence[str], tokenizer: str, space: CaptionSpace) -> _Placed:
        different, _ = unique_rows(sentences)
        analysis = Analysis(different, tokenizer)
        words = analysis.layer(Tokens).ids.lengths
        rows = {sentence: row for row, sentence in enumerate(different)}
        return cls(rows, every_caption(analysis, space), words)

    def rows(self, sentences: Sequence[str]) -> list[int]:
        return [self.row_of[sentence] for sentence in sentences]


def _taken_apart(samples: Samples, space: CaptionSpace) -> LongSamples | None:
    mine, theirs = samples.candidates, samples.references.analysis
    my_own, their_own = mine.layer(Sentences), theirs.layer(Sentences)
    if not (my_own.several or their_own.several):  # the usual case
        return None
    beside = their_own.are_several[samples.pairs.values]
    is_long = np.logical_or.reduceat(beside, samples.pairs.offsets[:-1])
    is_long |= my_own.are_several[samples.rows]
    places = np.flatnonzero(is_long)
    if not len(places):
        return None
    pairs = samples.pairs.take(places)
    candidates = [my_own.of(row, mine) for row in samples.rows[places].tolist()]
    references = [their_own.of(row, theirs) for row in pairs.values.tolist()]
    sentences = list(chain.from_iterable([*candidates, *references]))
    placed = _Placed.of(sentences, theirs.tokenizer, space)
    said, asked = _Side(), _Side()
    for owner, (start, end) in enumerate(pairwise(pairs.offsets.tolist())):
        _match(owner, candidates[owner], references[start:end], placed, said, asked)
    return LongSamples(places, said.made(theirs), asked.made(theirs))


def _match(
    owner: int,
    candidate: list[str],
    references: list[list[str]],
    placed: _Placed,
    said: _Side,
    asked: _Side,
) -> None:
    """Find each sentence's nearest on the other side."""
    flat = list(chain.from_iterable(references))
    mine, theirs = placed.rows(candidate), placed.rows(flat)
    cosines = PackedMatrix(placed.vectors[theirs].T).multiply(placed.vectors[mine])
    bounds = offsets_of(np.fromiter(map(len, references), np.int64, len(references))).tolist()
    nearest = [
        cosines[:, start:end].argmax(axis=1) + start for start, end in pairwise(bounds)
    ]  # of each reference, by sentence of the candidate
    nearest_to = cosines.argmax(axis=0)  # by sentence of the references
    for place, sentence in enumerate(candidate):
        beside = [flat[each[place]] for each in nearest]
        said.add(owner, sentence, beside, int(placed.words[mine[place]]))
        if len(gathered := np.flatnonzero(nearest_to == place)):
            words = sum(int(placed.words[theirs[each]]) for each in gathered)
            asked.add(owner, sentence, [flat[each] for each in gathered], words)
