"""Caption vectors, in a space learned from captions, where those of one image lie together.

A caption's vector is the sum of its words' vectors, at length one. How much a word weighs is the
length of its vector: little for *a*, much for *giraffe*. A word that was not learned is the mean of
the pieces of its spelling, which were; so misspelt words lie near what they were meant to be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious._internal.locks import ForkSafeLock
from captious._internal.loops.row_vectors import row_products, row_sums
from captious.resources import RESOURCES
from captious.text.analysis import Analysis, Floats
from captious.text.tokens import Tokens, words_by_id
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors

MAX_CACHED_WORDS = 1 << 15  # 150 MB
BLOCK = 4  # units are filled up with zeros to a multiple: their loop takes so many at once
INITIAL_ROWS = 1 << 10  # allocated at first


@dataclass(frozen=True, slots=True, eq=False)
class WordRows:
    """Words as rows of tables, which may hold other words.

    `vectors` are theirs, `units` the same at length one in double precision, and `lengths` what
    they were divided by; a word without a vector has zeros, and a length of 1.
    """

    rows: IntArray
    vectors: Floats
    units: FloatArray
    lengths: FloatArray


class WordCache:
    """Cache of the words that were looked up in a space; cleared when full."""

    def __init__(self) -> None:
        self._lock = ForkSafeLock()
        self._clear()

    def look_up(self, words: Sequence[str], compute: Callable[[Sequence[str]], Floats]) -> WordRows:
        """Return the row of each word; `compute` gives the vectors of new words."""
        with self._lock:
            row_of = self._row_of
            new = [word for word in dict.fromkeys(words) if word not in row_of]
            if new and len(row_of) + len(new) > MAX_CACHED_WORDS:
                self._clear()
                row_of, new = self._row_of, list(dict.fromkeys(words))
            if new:
                self._add(new, compute(new))
            rows = np.fromiter(map(row_of.__getitem__, words), np.int64, len(words))
            return WordRows(rows, self._vectors, self._units, self._lengths)

    def _clear(self) -> None:
        self._row_of: dict[str, int] = {}
        self._vectors: Floats = np.zeros((0, 0), np.float32)
        self._units: FloatArray = np.zeros((0, 0))
        self._lengths: FloatArray = np.zeros(0)

    def _add(self, words: Sequence[str], vectors: Floats) -> None:
        start, end, size = len(self._row_of), len(self._row_of) + len(words), vectors.shape[1]
        if end > len(self._lengths):
            # Earlier tables stay valid for their users: rows that are filled never change.
            room = max(end, 2 * len(self._lengths), INITIAL_ROWS)
            vectors_longer = _enlarge(self._vectors, (room, size))
            units_longer = _enlarge(self._units, (room, -(-size // BLOCK) * BLOCK))
            lengths_longer = _enlarge(self._lengths, (room,))
            # All at once: a process forked meanwhile has none or all of them.
            self._vectors, self._units, self._lengths = vectors_longer, units_longer, lengths_longer
        exact = vectors.astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact))
        # A word without a vector counts as much as the usual one: it is known by its spelling.
        lengths[~(lengths > 0)] = 1.0
        self._vectors[start:end] = vectors
        self._units[start:end, :size] = exact / lengths[:, None]
        self._lengths[start:end] = lengths
        self._row_of.update(zip(words, range(start, end), strict=True))


def _enlarge(table: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    longer = np.zeros(shape, table.dtype)
    if len(table):
        longer[: len(table)] = table
    return longer


@lru_cache(maxsize=2)
def word_cache_of(vectors: WordVectors) -> WordCache:
    """Return the cache of these vectors."""
    return WordCache()


SHIPPED = RESOURCES / "caption_vectors" / "captions-384d.npz"
PIECE = "\t"  # before a piece of spelling in a file of vectors: no token has one
NGRAM_LENGTHS = (3, 4, 5)
BLOCK_CAPTIONS = 256  # whose sums are brought to length one while they are in a core's own memory
MAX_CACHED_CAPTIONS = 1 << 15  # of which the vectors are kept: 50 MB

Vectors = npt.NDArray[np.float32]


def character_ngrams(word: str) -> list[str]:
    """Return the character n-grams of a word, with its beginning and end marked."""
    marked = f"<{word}>"
    return [
        marked[start : start + length]
        for length in NGRAM_LENGTHS
        for start in range(len(marked) - length + 1)
    ]


@dataclass(frozen=True, eq=False)
class CaptionSpace:
    """A space of captions: vectors of words, and of pieces for words that have none."""

    vectors: WordVectors

    @classmethod
    def load(cls, path: str | Path | None = None) -> CaptionSpace:
        """Load the space that ships, or one from a file."""
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
        """Return one vector per word; zeros for a word of which no piece is known."""
        rows = self.vectors.rows(words)
        vectors = np.zeros((len(words), self.dimensions), np.float32)
        known = np.flatnonzero(rows != UNKNOWN)
        vectors[known] = self.vectors.at(rows[known])
        unknown = np.flatnonzero(rows == UNKNOWN).tolist()
        spelled = [character_ngrams(words[place]) for place in unknown]
        pieces = self.vectors.rows(PIECE + piece for several in spelled for piece in several)
        ends = offsets_of(np.fromiter(map(len, spelled), np.int64, len(spelled))).tolist()
        for place, (start, end) in zip(unknown, pairwise(ends), strict=True):
            learned = pieces[start:end]
            learned = learned[learned != UNKNOWN]
            if len(learned):
                vectors[place] = self.vectors.at(learned).mean(axis=0)
        return vectors

    def look_up(self, words: Sequence[str]) -> WordRows:
        """Return the vectors of words as rows of tables that cache them."""
        return word_cache_of(self.vectors).look_up(words, self.of_words)

    def of_captions(self, words: Ragged, vectors: Vectors) -> Vectors:
        """Return captions' unit vectors, from rows of words' vectors."""
        every = np.empty((len(words), self.dimensions), np.float32)
        for start in range(0, len(words), BLOCK_CAPTIONS):
            block = every[start : start + BLOCK_CAPTIONS]
            offsets = words.offsets[start : start + BLOCK_CAPTIONS + 1]
            row_sums(vectors.data, words.values.data, offsets.data, block.data)
            normalize_in_place(block)
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
            names = words_by_id(analysis)
            used = np.flatnonzero(np.bincount(ids.values)).tolist()
            used.sort(key=names.__getitem__)
            place = np.zeros(len(names), np.int64)
            place[used] = np.arange(len(used))
            # Summed by the alphabet: the same words in another order have the very same sum.
            keys = np.sort(ids.owners * len(used) + place[ids.values])
            placed = space.look_up([names[number] for number in used])
            words = Ragged(placed.rows[keys % max(len(used), 1)], ids.offsets)
            return cls(words, placed.vectors)

        return analysis.get_or_compute(("space words", space.signature), look_up)


@dataclass(frozen=True, slots=True, eq=False)
class VectorRows:
    """Captions as rows of a table of vectors, which may hold other captions."""

    vectors: Vectors
    rows: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.ascontiguousarray(self.rows, np.int64))  # for loops

    @classmethod
    def every(cls, vectors: Vectors) -> VectorRows:
        """Return all rows of a table."""
        return cls(vectors, np.arange(len(vectors)))


def caption_vector_rows(analysis: Analysis, space: CaptionSpace, rows: IntArray) -> VectorRows:
    """Return the vectors of the captions at some rows, zeros for captions of no known word.

    The vectors of few captions are cached, as are all that were asked for at once; of many, those
    at `rows` are computed at each call.
    """
    if len(analysis.captions) <= MAX_CACHED_CAPTIONS or analysis.has(_vectors_key(space)):
        return VectorRows(all_caption_vectors(analysis, space), rows)
    words = SpaceWords.of(analysis, space)
    return VectorRows.every(space.of_captions(words.words.take(rows), words.vectors))


def all_caption_vectors(analysis: Analysis, space: CaptionSpace) -> Vectors:
    """Return the vectors of all captions, in their order, computed once."""

    def compute() -> Vectors:
        words = SpaceWords.of(analysis, space)
        return space.of_captions(words.words, words.vectors)

    return analysis.get_or_compute(_vectors_key(space), compute)


def _vectors_key(space: CaptionSpace) -> tuple[str, str]:
    return "caption vectors", space.signature


def caption_vectors(analysis: Analysis, space: CaptionSpace, rows: IntArray) -> Vectors:
    """Return a copy of the vectors of the captions at some rows."""
    places = caption_vector_rows(analysis, space, rows)
    return places.vectors[places.rows]


def centroids(vectors: Vectors, offsets: IntArray) -> Vectors:
    """Return the unit mean of each group of captions' vectors."""
    return normalize_in_place(sum_rows(vectors, Ragged(np.arange(len(vectors)), offsets)))


def sum_rows(vectors: Vectors, rows: Ragged) -> Vectors:
    """Return the sum of the vectors in each row of indices, in order."""
    sums = np.empty((len(rows), vectors.shape[1]), np.float32)
    values, offsets = (np.ascontiguousarray(each, np.int64) for each in (rows.values, rows.offsets))
    row_sums(np.ascontiguousarray(vectors, np.float32).data, values.data, offsets.data, sums.data)
    return sums


def normalize_in_place(vectors: Vectors) -> Vectors:
    """Scale the rows to unit length in place; zeros stay zeros."""
    lengths: Vectors = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    vectors /= lengths[:, None]
    return vectors


def normalize(vectors: Vectors) -> Vectors:
    """Return a copy with rows of unit length."""
    return normalize_in_place(vectors.copy())


def is_zero_vector(places: VectorRows) -> npt.NDArray[np.bool_]:
    """Whether each vector is all zeros; other squares never underflow in double precision."""
    squares, vectors, rows = np.empty(len(places.rows)), places.vectors.data, places.rows.data
    row_products(vectors, rows, vectors, rows, squares.data)
    zeros: npt.NDArray[np.bool_] = squares == 0
    return zeros
