"""In-memory cache of the vectors of words in a caption space.

Captions come in batches that have most of their words in common, and a word that was not learned
costs a look at all pieces of its spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.locks import ForkSafeLock
from captious.text.analysis import Floats
from captious.text.vectors.word_vectors import WordVectors

MAX_CACHED_WORDS = 1 << 15  # that are remembered: 150 MB
BLOCK = 4  # units are filled up with zeros to a multiple: their loop takes so many at once
INITIAL_ROWS = 1 << 10  # allocated at first


@dataclass(frozen=True, slots=True, eq=False)
class WordRows:
    """Some words as rows of tables, which may have other words, too.

    `vectors` are theirs, `units` the same at length one in double precision, and `lengths` what
    they were divided by; a word without a vector has zeros, and a length of 1.
    """

    rows: IntArray
    vectors: Floats
    units: FloatArray
    lengths: FloatArray


class WordCache:
    """The words that were looked up in a space so far; a full cache is cleared."""

    def __init__(self) -> None:
        self._lock = ForkSafeLock()
        self._clear()

    def look_up(self, words: Sequence[str], compute: Callable[[Sequence[str]], Floats]) -> WordRows:
        """The place of each word; `compute` gives the vectors of those that are new."""
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
    """The cache of these vectors."""
    return WordCache()
