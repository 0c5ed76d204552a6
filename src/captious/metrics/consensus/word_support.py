"""Word support: the highest cosine of each word of a caption to a word of the other side.

The same word on the other side gives full support, whether it has a vector or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious._internal.loops.word_support import word_support
from captious.samples import Samples
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens, words_by_id
from captious.text.vectors.caption_vectors import CaptionSpace

MIN_SUPPORT_COSINE = 0.5  # from which a word counts as supported by the other side
MAX_CACHE_BITS = 18  # 2**18 pairs of words, 4 MB
FIXED_POINT_SCALE = 2.0**32  # rounding to 1/2**32 makes sums independent of their order


@dataclass(frozen=True, eq=False)
class SupportedWords:
    """One side's different words, sample by sample, ascending by the tokens' ids.

    `lengths` are those of the words' vectors: longer ones are of rarer words, with more to say.
    `support` is the highest cosine with a word of the other side, and never below 0.
    """

    words: Ragged
    lengths: FloatArray
    support: FloatArray

    def mean_support(self, weights: FloatArray) -> FloatArray:
        """The weighted mean of each sample's words; 0 where they weigh nothing."""
        totals = self._sums(weights)
        return np.divide(
            self._sums(weights * self.support), totals, out=np.zeros(len(totals)), where=totals > 0
        )

    @property
    def weights(self) -> FloatArray:
        """Each word's share of the lengths of all its sample's words."""
        shares: FloatArray = self.lengths / self._sums(self.lengths)[self.words.owners]
        return shares

    @property
    def is_unsupported(self) -> npt.NDArray[np.bool_]:
        """Which words weigh at least the average and are not supported by the other side."""
        averages = self._sums(self.lengths) / np.maximum(self.words.lengths, 1)
        heavy = (
            np.rint(self.lengths * FIXED_POINT_SCALE) / FIXED_POINT_SCALE
            >= averages[self.words.owners]
        )
        is_unsupported: npt.NDArray[np.bool_] = heavy & (self.support < MIN_SUPPORT_COSINE)
        return is_unsupported

    def _sums(self, values: FloatArray) -> FloatArray:
        """The sum of each sample's values.

        Words come in the order of their ids, which other captions decide. Whole numbers have the
        same sum in any order.
        """
        whole = np.bincount(
            self.words.owners, np.rint(values * FIXED_POINT_SCALE), minlength=len(self.words)
        )
        sums: FloatArray = whole / FIXED_POINT_SCALE
        return sums


@dataclass(frozen=True, eq=False)
class WordSupport:
    """Both sides' words, and how well they are supported by each other's."""

    candidates: SupportedWords
    references: SupportedWords

    @classmethod
    def of(
        cls, samples: Samples, reference_words: Ragged, images: IntArray, space: CaptionSpace
    ) -> WordSupport:
        """Compute the support of samples whose references' words are rows of `theirs`."""
        ids = samples.candidates.layer(Tokens).ids
        candidate_words = unique_words(ids.owners, ids.values, len(ids))
        names = words_by_id(samples.candidates)
        return cls.between(
            candidate_words.take(samples.rows), reference_words.take(images), names, space
        )

    @classmethod
    def between(
        cls,
        candidates: Ragged,
        references: Ragged,
        names: Sequence[str],
        space: CaptionSpace,
    ) -> WordSupport:
        """Compute the support of two sides' rows of distinct, ascending word ids."""
        sides = (candidates, references)
        used = np.flatnonzero(
            sum(np.bincount(side.values, minlength=len(names)) for side in sides)
        ).tolist()
        word_vectors = space.look_up([names[word] for word in used])
        row_of = np.zeros(len(names), np.int64)
        row_of[used] = word_vectors.rows
        support = [np.empty(len(side.values)) for side in sides]
        cache_size = 1 << min(int(sides[1].offsets[-1]).bit_length(), MAX_CACHE_BITS)
        word_support(
            word_vectors.units.data,
            row_of.data,
            sides[0].values.data,
            sides[0].offsets.data,
            sides[1].values.data,
            sides[1].offsets.data,
            np.full(cache_size, -1, np.int64).data,
            np.empty(cache_size).data,
            support[0].data,
            support[1].data,
        )
        return cls(
            *(
                SupportedWords(words, word_vectors.lengths[row_of[words.values]], best)
                for words, best in zip(sides, support, strict=True)
            )
        )


@dataclass(frozen=True, eq=False)
class WordsInOrder:
    """One side's words with their names, and their places in the order in which they first occur.

    Explanations and reports of missing words read them.
    """

    side: SupportedWords
    places: IntArray  # sample by sample
    names: list[str]  # by the tokens' ids

    @classmethod
    def of(cls, samples: Samples, space: CaptionSpace) -> tuple[WordsInOrder, WordsInOrder]:
        """The candidates' words, and the references'."""
        references = samples.references
        ids = samples.candidates.layer(Tokens).ids
        reference_words, reference_firsts = references.get_or_compute(
            "different words",
            lambda: _unique_words_with_first_places(
                *words_by_set(references.analysis, references.rows)
            ),
        )
        candidate_words, candidate_firsts = _unique_words_with_first_places(
            ids.owners, ids.values, len(ids)
        )
        support = WordSupport.of(samples, reference_words, samples.images, space)
        firsts = (
            Ragged(candidate_firsts, candidate_words.offsets).take(samples.rows),
            Ragged(reference_firsts, reference_words.offsets).take(samples.images),
        )
        sides = (support.candidates, support.references)
        names = words_by_id(samples.candidates)
        candidate_side, reference_side = (
            cls(side, np.lexsort((first.values, first.owners)), names)
            for side, first in zip(sides, firsts, strict=True)
        )
        return candidate_side, reference_side

    def words(self) -> list[str]:
        """All words, sample by sample."""
        return [self.names[word] for word in self.side.words.values[self.places].tolist()]

    def unsupported_by_weight(self) -> list[list[str]]:
        """Each sample's unsupported words, the heaviest first."""
        places = self.places[self.side.is_unsupported[self.places]]
        owners = self.side.words.owners[places]
        return self._words_at(places[np.lexsort((-self.side.weights[places], owners))])

    def _words_at(self, places: IntArray) -> list[list[str]]:
        words = list(map(self.names.__getitem__, self.side.words.values[places].tolist()))
        owners = self.side.words.owners[places]
        ends = np.cumsum(np.bincount(owners, minlength=len(self.side.words))).tolist()
        return [words[start:end] for start, end in pairwise([0, *ends])]


def words_by_set(analysis: Analysis, rows: Ragged) -> tuple[IntArray, IntArray, int]:
    """Return the set that each word belongs to, the words, and the number of sets."""
    words = analysis.layer(Tokens).ids.take(rows.values)
    return np.repeat(rows.owners, words.lengths), words.values, len(rows)


def unique_words(owners: IntArray, words: IntArray, count: int) -> Ragged:
    """Return the distinct words of each of `count` owners, ascending."""
    keys = np.sort(_join_keys(owners, words))
    return _split_keys(keys[np.flatnonzero(np.diff(keys, prepend=-1))], _id_limit(words), count)


def _unique_words_with_first_places(
    owners: IntArray, words: IntArray, count: int
) -> tuple[Ragged, IntArray]:
    """Return the unique words of each owner, and the index at which each occurs first."""
    keys, firsts = np.unique(_join_keys(owners, words), return_index=True)
    return _split_keys(keys, _id_limit(words), count), firsts


def _split_keys(keys: IntArray, size: int, count: int) -> Ragged:
    return Ragged(keys % size, offsets_of(np.bincount(keys // size, minlength=count)))


def _join_keys(owners: IntArray, words: IntArray) -> IntArray:
    keys: IntArray = owners * _id_limit(words) + words
    return keys


def _id_limit(words: IntArray) -> int:
    return int(words.max(initial=0)) + 1
