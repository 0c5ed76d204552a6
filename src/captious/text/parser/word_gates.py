"""Cached gate inputs of the parser's first layer, computed once for each word."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from captious._internal.locks import ForkSafeLock
from captious.text.parser.lstm import BATCH_ROWS, Floats, Ints, Lstm

_MAX_CACHED_WORDS = 16_384  # remembered at once; well above what one batch can hold
_DIGIT = re.compile(r"\d")
_MAX_CHARS_PER_END = 12  # of a longer word only both ends are read: the cost stays bounded


class WordGates:
    """Tables of words, forward and backward, that grow with the words that are met."""

    def __init__(self, words: list[str], weights: Mapping[str, Floats], layer: Lstm) -> None:
        self._vocabulary = {word: number for number, word in enumerate(words, start=1)}
        self._word, self._subword = weights["word"], weights["subword"]
        self._layer = layer
        self._lock = ForkSafeLock()
        self._number: dict[str, int] = {}
        self._tables = self._empty_tables(1024)

    def _empty_tables(self, words: int) -> tuple[Floats, Floats]:
        """Empty tables, forward and backward."""
        return (
            np.zeros((words, 4 * self._layer.width), np.float32),
            np.zeros((words, 4 * self._layer.width), np.float32),
        )

    def look_up(self, words: Sequence[str]) -> tuple[Ints, tuple[Floats, Floats]]:
        """The tables and the rows of words in them; rows of a table never change once written."""
        with self._lock:
            self._add_words(words)
            return np.array([self._number[word] for word in words], np.int64), self._tables

    def _add_words(self, words: Sequence[str]) -> None:
        """Compute the gates of new words; grow or restart the tables where they are full."""
        new = list(dict.fromkeys(word for word in words if word not in self._number))
        if len(self._number) + len(new) > _MAX_CACHED_WORDS:
            # Another thread may still read the tables: begin new ones.
            self._number, self._tables = {}, self._empty_tables(1024)
            new = list(dict.fromkeys(words))
        known = len(self._number)
        while known + len(new) > len(self._tables[0]):
            larger = self._empty_tables(2 * len(self._tables[0]))
            for table, before in zip(larger, self._tables, strict=True):
                table[: len(before)] = before
            self._tables = larger
        for start in range(0, len(new), BATCH_ROWS):
            part = new[start : start + BATCH_ROWS]
            gates_of_part = self._layer.gates(self._vectors(part))
            for table, gates in zip(self._tables, gates_of_part, strict=True):
                table[known + start : known + start + len(part)] = gates
        self._number.update((word, number) for number, word in enumerate(new, start=known))

    def _vectors(self, words: Sequence[str]) -> Floats:
        """Each word's own vector beside the mean of those of its pieces."""
        width = self._word.shape[1]
        vectors = np.zeros((len(words), width + self._subword.shape[1]), np.float32)
        numbers = [self._vocabulary.get(word.lower(), 0) for word in words]
        vectors[:, :width] = self._word[numbers]
        for vector, word in zip(vectors[:, width:], words, strict=True):
            pieces = subword_buckets(word, len(self._subword))
            if pieces:
                # The same sums as of `mean`, which takes its time.
                np.add.reduce(self._subword[pieces], axis=0, out=vector)
                vector /= np.float32(len(pieces))
        return vectors


def subword_buckets(word: str, buckets: int) -> list[int]:
    """Hash a word's endings, beginnings and three-letter stretches into numbers below `buckets`.

    The training command uses this, too, so that both read a word alike.
    """
    spelling = _DIGIT.sub("0", word.lower())
    if len(spelling) > 2 * _MAX_CHARS_PER_END:
        spelling = spelling[:_MAX_CHARS_PER_END] + spelling[-_MAX_CHARS_PER_END:]
    pieces = [f"end {spelling[-length:]}" for length in range(1, min(4, len(spelling)) + 1)]
    pieces += [f"start {spelling[:length]}" for length in range(1, min(3, len(spelling)) + 1)]
    fenced = f"<{spelling}>"
    pieces += [fenced[start : start + 3] for start in range(len(fenced) - 2)]
    encoded = (piece.encode("utf-8", "surrogatepass") for piece in pieces)
    return [zlib.crc32(piece) % buckets for piece in encoded]
