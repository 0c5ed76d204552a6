"""Caption vectors: places in a space learned from captions, where those of one image lie together.

A caption's vector is the sum of its words' vectors, at length one. How much a word weighs is the
length of its vector: little for *a*, much for *giraffe*. A word that was not learned is the mean of
the pieces of its spelling, which were; so misspelt words lie near what they were meant to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from captious.arrays.ragged import IntArray, Ragged
from captious.resources import RESOURCES
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens, names_of
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors

SHIPPED = RESOURCES / "caption_vectors" / "captions-384d.npz"
PIECE = "\t"  # before a piece of spelling in a file of vectors: no token has one
PIECE_LENGTHS = (3, 4, 5)
CAPTIONS_AT_ONCE = 4096  # this and the next bound memory, and change nothing else
MOST_KEPT = 1 << 15  # captions whose vectors are kept: 50 MB

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
        for place in np.flatnonzero(rows == UNKNOWN).tolist():
            pieces = self.vectors.rows([PIECE + piece for piece in pieces_of(words[place])])
            pieces = pieces[pieces != UNKNOWN]
            if len(pieces):
                vectors[place] = self.vectors.at(pieces).mean(axis=0)
        return vectors

    def of_captions(self, words: Ragged, vectors: Vectors) -> Iterator[Vectors]:
        """Captions' vectors at length one, some captions at a time, from rows of words' vectors."""
        for start in range(0, len(words), CAPTIONS_AT_ONCE):
            rows = np.arange(start, min(start + CAPTIONS_AT_ONCE, len(words)))
            yield at_length_one(_sums(vectors, words.take(rows)))


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
            used = sorted(np.unique(ids.values).tolist(), key=names.__getitem__)
            place = np.zeros(len(names), np.int64)
            place[used] = np.arange(len(used))
            # Summed by the alphabet: the same words in another order have the very same sum.
            keys = np.sort(ids.owners * len(used) + place[ids.values])
            words = Ragged(keys % max(len(used), 1), ids.offsets)
            return cls(words, space.of_words([names[number] for number in used]))

        return analysis.once(("space words", space.signature), look_up)


def caption_vectors(analysis: Analysis, space: CaptionSpace, rows: IntArray) -> Vectors:
    """The vectors of the captions at some rows, zeros for captions of no known word.

    Those of few captions are worked out once and kept; of many, whenever they are asked for.
    """
    if len(analysis.captions) > MOST_KEPT:
        return _worked_out(analysis, space, rows)
    every = np.arange(len(analysis.captions))
    key = ("caption vectors", space.signature)
    kept: Vectors = analysis.once(key, lambda: _worked_out(analysis, space, every))
    return kept[rows]


def _worked_out(analysis: Analysis, space: CaptionSpace, rows: IntArray) -> Vectors:
    words = SpaceWords.of(analysis, space)
    parts = list(space.of_captions(words.words.take(rows), words.vectors))
    return np.concatenate(parts) if parts else np.zeros((0, space.dimensions), np.float32)


def centroids(vectors: Vectors, offsets: IntArray) -> Vectors:
    """The mean direction of several captions' vectors, at length one."""
    every = Ragged(np.arange(len(vectors)), offsets)
    return at_length_one(_sums(vectors, every))


def _sums(vectors: Vectors, rows: Ragged) -> Vectors:
    """The sum of some rows of vectors for each row of numbers, in their order."""
    longest_first = np.argsort(-rows.lengths, kind="stable")
    lengths, starts = rows.lengths[longest_first], rows.offsets[longest_first]
    sums = np.zeros((len(rows), vectors.shape[1]), np.float32)
    # All first words at once, then all second ones: NumPy is twice as quick so as row by row.
    for place in range(int(lengths.max(initial=0))):
        longer = int(np.searchsorted(-lengths, -place))
        sums[:longer] += vectors[rows.values[starts[:longer] + place]]
    result = np.empty_like(sums)
    result[longest_first] = sums
    return result


def at_length_one(vectors: Vectors) -> Vectors:
    """Rows at length one; zeros stay zeros."""
    lengths: Vectors = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    return vectors / lengths[:, None]
