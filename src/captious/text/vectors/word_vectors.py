"""Word vectors: those that ship, or a user's own.

A file of vectors is an `.npz` of plain arrays: the words, and a row of numbers for each, either
floats or whole numbers in a byte with one scale a row. Words that a file does not have, and words
whose vector is all zeros, are unknown: what reads vectors leaves them out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious.errors import InputError
from captious.io.array_files import (
    DECIMALS,
    LINES,
    MAX_MAGNITUDE,
    NUMBERS,
    TEXT,
    WHOLE_NUMBERS,
    ArrayFile,
    Member,
)
from captious.resources import RESOURCES, ResourceFiles
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens

FORMAT = 1
SHIPPED = RESOURCES / "word_vectors"
DEFAULT = "glove-6b-100d"
UNKNOWN = -1
MAX_QUANTIZED = 127  # of a number in a byte, on each side of zero
TYPES = (np.int8, np.float16, np.float32)
HOW = "make one with `captious vectors FILE --output OUT.npz`"
SHELF = ResourceFiles(SHIPPED, "word vectors", HOW)
FILE = ArrayFile(
    "a file of word vectors",
    HOW,
    (
        Member("format", WHOLE_NUMBERS),
        Member("name", TEXT),
        Member("fingerprint", TEXT),
        Member("words", LINES, ("words",)),
        Member("values", NUMBERS, ("words", "numbers a word")),
        Member("scales", DECIMALS, ("words",), 0, MAX_MAGNITUDE),
    ),
    max_bytes=1 << 32,
)


@dataclass(frozen=True, eq=False, repr=False)
class WordVectors:
    """Words and their vectors; `values` times `scales` are the numbers."""

    name: str
    words: Sequence[str]
    values: npt.NDArray[Any]
    scales: npt.NDArray[np.float32]
    fingerprint: str

    @classmethod
    def of(cls, name: str, words: Sequence[str], values: npt.NDArray[Any]) -> WordVectors:
        """Create from vectors in single or half precision."""
        return cls.from_arrays(name, words, values, np.ones(len(words), np.float32))

    @classmethod
    def quantize(cls, name: str, words: Sequence[str], values: npt.NDArray[Any]) -> WordVectors:
        """Create vectors of whole numbers from -127 to 127 times a scale for each word."""
        scales = (np.abs(values).max(axis=1) / MAX_QUANTIZED).astype(np.float32)
        steps = values / np.where(scales > 0, scales, 1)[:, None]
        return cls.from_arrays(name, words, np.rint(steps).astype(np.int8), scales)

    @classmethod
    def from_arrays(
        cls,
        name: str,
        words: Sequence[str],
        values: npt.NDArray[Any],
        scales: npt.NDArray[np.float32],
    ) -> WordVectors:
        """Create from numbers and scales, with their hash."""
        digest = hashlib.sha256(_encode_lines(words))
        for array in (values, scales):
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(np.ascontiguousarray(array).data)
        return cls(name, words, values, scales, digest.hexdigest()[:8])

    def __repr__(self) -> str:
        return f"WordVectors({self.signature!r}, {len(self.words)} words x {self.dimensions})"

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.values.shape[1])

    @property
    def signature(self) -> str:
        """Name and hash, as signatures give them."""
        return f"{self.name}@{self.fingerprint}"

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))

    def rows(self, words: Iterable[str]) -> IntArray:
        """Return the row of each word, as it is or else in lower case, or UNKNOWN."""
        row_of = self._row_of
        rows = np.array(
            [
                row_of[word] if word in row_of else row_of.get(word.lower(), UNKNOWN)
                for word in words
            ],
            np.int64,
        )
        known = np.flatnonzero(rows >= 0)
        is_zero = ~self.values[rows[known]].any(axis=1)
        rows[known[is_zero]] = UNKNOWN
        return rows

    def at(self, rows: IntArray) -> FloatArray:
        """Return the vectors of some rows, in double precision."""
        vectors: FloatArray = self.values[rows].astype(np.float64)
        vectors *= self.scales[rows, None].astype(np.float64)
        return vectors

    def check(self, where: str | Path) -> None:
        """Raise an error that names the source where vectors cannot be used."""
        if not len(self) or not self.dimensions:
            raise InputError(f"{where}: no word vectors, or vectors of no numbers; {HOW}")
        if self.values.dtype not in TYPES:
            known = ", ".join(np.dtype(kind).name for kind in TYPES)
            raise InputError(f"{where}: word vectors of {self.values.dtype}, not {known}; {HOW}")
        # A scale of 0 would put a word that is known where nothing is, and all distances to it.
        lost = np.flatnonzero(self.scales == 0)
        lost = lost[self.values[lost].any(axis=1)]
        if len(lost):
            raise InputError(
                f"{where}: the scale of the word {self.words[lost[0]]!r} is 0 and its numbers are "
                f"not; {HOW}"
            )

    def save(self, path: str | Path) -> None:
        """Write a file of plain arrays; packing would save little and cost time at every start."""
        contents = {
            "format": np.int64(FORMAT),
            "name": self.name,
            "fingerprint": self.fingerprint,
            "words": self.words,
            "values": self.values,
            "scales": self.scales,
        }
        FILE.write(path, contents)

    @classmethod
    def load(cls, name: str | Path | None = None) -> WordVectors:
        """Load shipped vectors by name, or a file that `captious vectors` wrote."""
        return _load(*SHELF.find(DEFAULT if name is None else name))


@lru_cache(maxsize=4)
def _load(path: Path, modified: int) -> WordVectors:
    """Read a file once for as long as it does not change."""
    arrays = FILE.read(path)
    if arrays["format"] != FORMAT:
        raise InputError(f"{path}: written by another version; {HOW}")
    vectors = WordVectors(
        arrays["name"],
        arrays["words"],
        arrays["values"],
        arrays["scales"].astype(np.float32, copy=False),
        arrays["fingerprint"],
    )
    vectors.check(path)
    return vectors


def _encode_lines(words: Iterable[str]) -> bytes:
    return "\n".join(words).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class ContentWords:
    """Analysis: each caption's distinct words with a vector, ascending, with counts.

    `words` are rows of `vectors`, which has only the words that occur; `names` are the rows of the
    whole table, the same in every analysis. Stop words, tokens without a letter or digit, and words
    without a vector are left out.
    """

    words: Ragged
    names: IntArray
    counts: IntArray
    totals: IntArray
    vectors: FloatArray

    @classmethod
    def of(cls, analysis: Analysis, table: WordVectors, stop_words: bool = False) -> ContentWords:
        """Return the words of an analysis, computed once; `stop_words` includes these."""
        key = ("content words", table.signature, stop_words)
        return analysis.get_or_compute(key, lambda: cls._build(analysis, table, stop_words))

    @classmethod
    def _build(cls, analysis: Analysis, table: WordVectors, stop_words: bool) -> ContentWords:
        ids = analysis.layer(Tokens).ids
        rows = _table_rows(analysis, table, stop_words)[ids.values]
        known = rows != UNKNOWN
        # One number for caption and word: sorting it groups the words of each caption.
        keys = np.sort(ids.owners[known] * len(table) + rows[known])
        # (np.unique would do the rest, and load NumPy's masked arrays for it.)
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        keys, counts = keys[firsts], np.diff(firsts, append=len(keys))
        owners, names = np.divmod(keys, len(table))
        offsets = offsets_of(np.bincount(owners, minlength=len(ids)))
        is_used = np.zeros(len(table), np.bool_)
        is_used[names] = True
        words = (np.cumsum(is_used) - 1)[names]
        totals = np.bincount(owners, counts, minlength=len(ids)).astype(np.int64)
        return cls(Ragged(words, offsets), names, counts, totals, table.at(np.flatnonzero(is_used)))


def _table_rows(analysis: Analysis, table: WordVectors, stop_words: bool) -> IntArray:
    """Return the row of each token id, those of the base first; UNKNOWN if left out."""

    def look_up() -> IntArray:
        base = analysis.base
        before = _table_rows(base, table, stop_words) if base else np.zeros(0, np.int64)
        words = list(analysis.layer(Tokens).vocabulary)
        new = table.rows(words)
        counts = [_is_content_word(word, stop_words) for word in words]
        new[~np.array(counts, np.bool_)] = UNKNOWN
        return np.concatenate([before, new])

    return analysis.get_or_compute(("table rows", table.signature, stop_words), look_up)


def _is_content_word(word: str, stop_words: bool) -> bool:
    """Whether a token has letters or digits and is no stop word."""
    is_word = word.isalnum() or any(map(str.isalnum, word))
    return is_word and (stop_words or word.lower() not in ENGLISH.stop_words)
