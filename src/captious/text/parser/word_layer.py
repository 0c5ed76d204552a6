"""The first layer: a quasi-recurrent one, whose products are computed once for each distinct word.

In a quasi-recurrent layer (Bradbury et al. 2017, here with a filter of two words) the gates depend
on the inputs alone, not on the state before. What a word gives to its own gates and to those of the
word that follows is the same in every sentence: it is looked up, and no matrix is needed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix
from captious._internal.locks import ForkSafeLock
from captious.text.parser.lstm import both_ways

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Sentences, or words, that go through the network together. More use a matrix better that was
# fetched once; fewer keep what is computed of them in the processor's cache.
BATCH_ROWS = 192
_MAX_CACHED_WORDS = 16_384  # well above what one batch can hold
_MAX_CHARS_PER_END = 12  # of a longer word only both ends are read: the cost stays bounded
_PARTS = 3  # of the gates: new values, what keeps the old ones, what lets them out
_DIGIT = re.compile(r"\d")


class WordTables(NamedTuple):
    """What words give in one direction to their own gates, and to the next word's.

    Both have a table for new values, one for the gates that keep old ones and one for the gates
    that let them out; a row is a word.
    """

    own: Floats
    following: Floats


class WordLayer:
    """A bidirectional quasi-recurrent layer over words; its states are doubled, as an LSTM's."""

    def __init__(self, words: list[str], weights: Mapping[str, Floats]) -> None:
        self._vocabulary = {word: number for number, word in enumerate(words, start=1)}
        self._word, self._subword = weights["word"], weights["subword"]
        self.width = width = weights["own_gates"].shape[1] // (2 * _PARTS)
        # A sigmoid is (1 + tanh of half its argument) / 2: one call of tanh serves all three.
        halves = np.repeat(np.array([1, 0.5, 0.5] * 2, np.float32), width)
        self._bias = weights["own_gates_bias"] * halves
        self._gates = PackedMatrix(
            np.concatenate([weights["own_gates"] * halves, weights["next_gates"] * halves], axis=1)
        )
        self._lock = ForkSafeLock()
        self._number: dict[str, int] = {}
        self._tables = self._empty_tables(1024)

    def run(self, sentences: Sequence[Sequence[str]]) -> Floats:
        """Return the states of every step, (step, sentence, number), of sentences of one length.

        Forward ones stand beside backward ones.
        """
        count, length = len(sentences), len(sentences[0])
        numbers, tables = self._look_up([word for words in sentences for word in words])
        by_step = np.ascontiguousarray(numbers.reshape(count, length).T)
        states = np.empty((length, count, 2 * self.width), np.float32)
        for way, steps in enumerate(both_ways(length)):
            half = states[..., way * self.width : (way + 1) * self.width]
            self._run(tables[way], by_step, steps, half)
        return states

    def _run(self, tables: WordTables, numbers: Ints, steps: range, states: Floats) -> None:
        """Run over sentences in one direction."""
        gates = np.empty((_PARTS, numbers.shape[1], self.width), np.float32)
        following = np.empty_like(gates)
        new, keep, let_out = gates
        cell, change = np.zeros_like(new), np.empty_like(new)
        for step in steps:
            _take(tables.own, numbers[step], gates)
            if step != steps[0]:
                gates += following
            if step != steps[-1]:
                _take(tables.following, numbers[step], following)
            np.tanh(gates, out=gates)
            # cell = sigmoid(keep) * cell + (1 - sigmoid(keep)) * new
            np.subtract(cell, new, out=change)
            change *= keep
            cell += new
            cell += change
            cell *= 0.5
            let_out += 1
            np.multiply(let_out, cell, out=states[step])

    def _look_up(self, words: Sequence[str]) -> tuple[Ints, tuple[WordTables, ...]]:
        """Return the rows of words and the tables; rows never change once written."""
        with self._lock:
            self._add_words(words)
            return np.array([self._number[word] for word in words], np.int64), self._tables

    def _empty_tables(self, words: int) -> tuple[WordTables, ...]:
        """Empty tables, forward and backward."""
        own, following = np.zeros((2, 2, _PARTS, words, self.width), np.float32)
        return tuple(map(WordTables, own, following))

    def _add_words(self, words: Sequence[str]) -> None:
        """Compute the gates of new words; grow or restart the tables where they are full."""
        new = list(dict.fromkeys(word for word in words if word not in self._number))
        if len(self._number) + len(new) > _MAX_CACHED_WORDS:
            # Another thread may still read the tables: begin new ones.
            self._number, self._tables = {}, self._empty_tables(1024)
            new = list(dict.fromkeys(words))
        known = len(self._number)
        while known + len(new) > self._tables[0].own.shape[1]:
            larger = self._empty_tables(2 * self._tables[0].own.shape[1])
            for table, before in zip(chain(*larger), chain(*self._tables), strict=True):
                table[:, : before.shape[1]] = before
            self._tables = larger
        for start in range(0, len(new), BATCH_ROWS):
            part = new[start : start + BATCH_ROWS]
            rows = slice(known + start, known + start + len(part))
            values = self._gates.multiply(self._vectors(part))
            values[:, : len(self._bias)] += self._bias
            parts = values.reshape(len(part), 2, 2, _PARTS, self.width).transpose(1, 2, 3, 0, 4)
            for tables, own, following in zip(self._tables, *parts, strict=True):
                tables.own[:, rows], tables.following[:, rows] = own, following
        self._number.update((word, number) for number, word in enumerate(new, start=known))

    def _vectors(self, words: Sequence[str]) -> Floats:
        """Return each word's vector beside the mean of its pieces' vectors."""
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


def _take(tables: Floats, rows: Ints, out: Floats) -> None:
    """Copy some rows of several tables."""
    for table, part in zip(tables, out, strict=True):
        table.take(rows, axis=0, out=part, mode="clip")  # `raise` would copy what it takes


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
