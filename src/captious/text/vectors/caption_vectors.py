"""Caption vectors: places in a space learned from captions, where those of one image lie together.

A caption's vector is the sum of its words' vectors, at length one. How much a word weighs is the
length of its vector: little for *a*, much for *giraffe*. A word that was not learned is the mean of
the pieces of its spelling, which were; so misspelt words lie near what they were meant to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.loops.directions import row_products, row_sums
from captious.resources import RESOURCES
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens, names_of
from captious.text.vectors.placed_words import PlacedWords, remembered_words
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors

SHIPPED = RESOURCES / "caption_vectors" / "captions-384d.npz"
PIECE = "\t"  # before a piece of spelling in a file of vectors: no token has one
PIECE_LENGTHS = (3, 4, 5)
CAPTIONS_AT_ONCE = 256  # whose sums are brought to length one while they are in a core's own memory
MOST_KEPT = 1 << 15  # captions whose vectors are kept: 50 MB; bounds memory, changes nothing else

Vectors = npt.NDArray[np.float32]


def pieces_of(word: str) -> list[str]:
    """The pieces of a word's spelling, its beginning and end marked."""
    marked = f"<{word}>"
    return [
        marked[start : start + length]
        for length in PIECE_LENGTHS
        for start in range(len(marked) - length + 1)
    ]


@dataclass(frozen=True, eq=False)
class CaptionSpace:
    """A space of captions: vectors of words, and of pieces for words that have none."""

    vectors: WordVectors

    @classmethod
    def load(cls, path: str | Path | None = None) -> CaptionSpace:
        """The space that ships, or one from a file."""
        return cls(WordVectors.load(SHIPPED if path is None else path))

    @property
    def signature(self) -> str:
        """Name and hash."""
        return self.vectors.signature

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self.vectors.dimensions

    def of_words(self, words: Sequence[str]) -> Vectors:
        """One row a word; zeros for a word of which no piece is known."""
        rows = self.vectors.rows(words)
        vectors = np.zeros((len(words), self.dimensions), np.float32)
        known = np.flatnonzero(rows != UNKNOWN)
        vectors[known] = self.vectors.at(rows[known])
        unknown = np.flatnonzero(rows == UNKNOWN).tolist()
        spelled = [pieces_of(words[place]) for place in unknown]
        pieces = self.vectors.rows(PIECE + piece for several in spelled for piece in several)
        ends = offsets_of(np.fromiter(map(len, spelled), np.int64, len(spelled))).tolist()
        for place, (start, end) in zip(unknown, pairwise(ends), strict=True):
            learned = pieces[start:end]
            learned = learned[learned != UNKNOWN]
            if len(learned):
                vectors[place] = self.vectors.at(learned).mean(axis=0)
        return vectors

    def places_of(self, words: Sequence[str]) -> PlacedWords:
        """The same as rows of tables, which remember words that were looked up before."""
        return remembered_words(self.vectors).look_up(words, self.of_words)

    def of_captions(self, words: Ragged, vectors: Vectors) -> Vectors:
        """Captions' vectors at length one, from rows of words' vectors."""
        every = np.empty((len(words), self.dimensions), np.float32)
        for start in range(0, len(words), CAPTIONS_AT_ONCE):
            some = every[start : start + CAPTIONS_AT_ONCE]
            offsets = words.offsets[start : start + CAPTIONS_AT_ONCE + 1]
            row_sums(vectors.data, words.values.data, offsets.data, some.data)
            to_length_one(some)
        return every


@dataclass(frozen=True, slots=True)
class SpaceWords:
    """The words of an analysis in a space: each caption's words as rows of a table of vectors."""

    words: Ragged
    vectors: Vectors

    @classmethod
    def of(cls, analysis: Analysis, space: CaptionSpace) -> SpaceWords:
        """Look the words up once for each analysis and space."""

        def look_up() -> SpaceWords:
            ids = analysis.layer(Tokens).ids
            names = names_of(analysis)
            used = np.flatnonzero(np.bincount(ids.values)).tolist()
            used.sort(key=names.__getitem__)
            place = np.zeros(len(names), np.int64)
            place[used] = np.arange(len(used))
            # Summed by the alphabet: the same words in another order have the very same sum.
            keys = np.sort(ids.owners * len(used) + place[ids.values])
            placed = space.places_of([names[number] for number in used])
            words = Ragged(placed.rows[keys % max(len(used), 1)], ids.offsets)
            return cls(words, placed.vectors)

        return analysis.get_or_compute(("space words", space.signature), look_up)


@dataclass(frozen=True, slots=True, eq=False)
class CaptionPlaces:
    """Captions as rows of a table of vectors, which may have other captions, too."""

    vectors: Vectors
    rows: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.ascontiguousarray(self.rows, np.int64))  # for loops

    @classmethod
    def every(cls, vectors: Vectors) -> CaptionPlaces:
        """All rows of a table."""
        return cls(vectors, np.arange(len(vectors)))


def caption_places(analysis: Analysis, space: CaptionSpace, rows: IntArray) -> CaptionPlaces:
    """The vectors of the captions at some rows, zeros for captions of no known word.

    Those of few captions are worked out once and kept; of many, whenever they are asked for.
    """
    words = SpaceWords.of(analysis, space)
    if len(analysis.captions) > MOST_KEPT:
        return CaptionPlaces.every(space.of_captions(words.words.take(rows), words.vectors))
    key = ("caption vectors", space.signature)
    kept: Vectors = analysis.get_or_compute(
        key, lambda: space.of_captions(words.words, words.vectors)
    )
    return CaptionPlaces(kept, rows)


def every_caption(analysis: Analysis, space: CaptionSpace) -> Vectors:
    """The vectors of all captions, in their order."""
    return caption_places(analysis, space, np.arange(len(analysis.captions))).vectors


def caption_vectors(analysis: Analysis, space: CaptionSpace, rows: IntArray) -> Vectors:
    """The vectors of the captions at some rows, in an array of their own."""
    places = caption_places(analysis, space, rows)
    return places.vectors[places.rows]


def centroids(vectors: Vectors, offsets: IntArray) -> Vectors:
    """The mean direction of several captions' vectors, at length one."""
    return to_length_one(sums_of(vectors, Ragged(np.arange(len(vectors)), offsets)))


def sums_of(vectors: Vectors, rows: Ragged) -> Vectors:
    """The sum of some rows of vectors for each row of numbers, in their order."""
    sums = np.empty((len(rows), vectors.shape[1]), np.float32)
    values, offsets = (np.ascontiguousarray(each, np.int64) for each in (rows.values, rows.offsets))
    row_sums(np.ascontiguousarray(vectors, np.float32).data, values.data, offsets.data, sums.data)
    return sums


def to_length_one(vectors: Vectors) -> Vectors:
    """Bring the rows to length one where they are; zeros stay zeros."""
    lengths: Vectors = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    vectors /= lengths[:, None]
    return vectors


def at_length_one(vectors: Vectors) -> Vectors:
    """The rows at length one, in an array of their own."""
    return to_length_one(vectors.copy())


def are_zeros(places: CaptionPlaces) -> npt.NDArray[np.bool_]:
    """Which vectors are zeros alone: no square of another is too small for double precision."""
    squares, vectors, rows = np.empty(len(places.rows)), places.vectors.data, places.rows.data
    row_products(vectors, rows, vectors, rows, squares.data)
    zeros: npt.NDArray[np.bool_] = squares == 0
    return zeros
