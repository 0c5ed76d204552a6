"""The first layer: a quasi-recurrent one, whose products are computed once for each distinct word.

In a quasi-recurrent layer (Bradbury et al. 2017, here with a filter of two words) the gates depend
on the inputs alone, not on the state before. What a word gives to its own gates and to those of the
word that follows is the same in every sentence: it is looked up, and no matrix is needed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix
from captious._internal.locks import ForkSafeLock
from captious._internal.loops.recurrent_layers import add_word_gates, update_word_cells
from captious.text.parser.lstm import both_ways
from captious.text.parser.work_arrays import WorkArrays

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Sentences, or words, that go through the network together. More use a matrix better that was
# fetched once; fewer keep what is computed of them in the processor's cache.
BATCH_ROWS = 192
_MAX_CACHED_WORDS = 12_288  # above what one batch can hold
_MAX_CHARS_PER_END = 12  # of a longer word only both ends are read: the cost stays bounded
_NO_WORD = 0  # the row of zeros: what the first word of a sentence follows
_PARTS = 3  # of the gates: new values, what keeps the old ones, what lets them out
_END, _START = zlib.crc32(b"end "), zlib.crc32(b"start ")  # hashes go on from these
_DIGIT = re.compile(r"\d")


class WordLayer:
    """A bidirectional quasi-recurrent layer over words; its states are doubled, as an LSTM's."""

    def __init__(self, words: list[str], weights: Mapping[str, Floats]) -> None:
        self._vocabulary = {word: number for number, word in enumerate(words, start=1)}
        self._word, self._subword = weights["word"], weights["subword"]
        self._width = width = weights["own_gates"].shape[1] // (2 * _PARTS)
        # A sigmoid is (1 + tanh of half its argument) / 2: one call of tanh serves all three.
        halves = np.repeat(np.array([1, 0.5, 0.5] * 2, np.float32), width)
        self._bias = weights["own_gates_bias"] * halves
        self._gates = PackedMatrix(
            np.concatenate([weights["own_gates"] * halves, weights["next_gates"] * halves], axis=1)
        )
        self._lock = ForkSafeLock()
        self._number: dict[str, int] = {}
        self._table = self._empty_table()

    def run(self, sentences: Sequence[Sequence[str]], work: WorkArrays) -> Floats:
        """Return the states of every step, (step, sentence, number), of sentences of one length.

        Forward ones stand beside backward ones.
        """
        count, length = len(sentences), len(sentences[0])
        numbers, table = self._look_up([word for words in sentences for word in words])
        by_step = np.ascontiguousarray(numbers.reshape(count, length).T)
        states = work.get("word states", (length, count, 2 * self._width))
        for way, steps in enumerate(both_ways(length)):
            self._run(table, way, by_step, steps, states)
        return states

    def _run(self, table: Floats, way: int, numbers: Ints, steps: range, states: Floats) -> None:
        """Run over sentences in one direction."""
        count = numbers.shape[1]
        gates = np.empty((count, _PARTS * self._width), np.float32)
        cells = np.zeros((count, self._width), np.float32)
        before = np.full(count, _NO_WORD, np.int64)
        for step in steps:
            add_word_gates(table, way, numbers[step], before, gates)
            np.tanh(gates, out=gates)
            update_word_cells(gates, cells, states, step, way)
            before = numbers[step]

    def _look_up(self, words: Sequence[str]) -> tuple[Ints, Floats]:
        """Return the rows of words, and the table; rows never change once written."""
        with self._lock:
            self._add_words(dict.fromkeys(words))
            numbers = map(self._number.__getitem__, words)
            return np.fromiter(numbers, np.int64, len(words)), self._table

    def _empty_table(self) -> Floats:
        """Return a table for all words that are kept; memory is taken as rows are written."""
        table = np.empty((1 + _MAX_CACHED_WORDS, self._gates.shape[1]), np.float32)
        table[_NO_WORD] = 0
        return table

    def _add_words(self, words: Iterable[str]) -> None:
        """Compute the gates of distinct words that are new; begin again where the table is full."""
        new = [word for word in words if word not in self._number]
        if len(self._number) + len(new) > _MAX_CACHED_WORDS:
            # Another thread may still read the table: begin a new one.
            self._number, self._table = {}, self._empty_table()
            new = list(words)
        first = 1 + len(self._number)
        for start in range(0, len(new), BATCH_ROWS):
            part = new[start : start + BATCH_ROWS]
            rows = self._table[first + start : first + start + len(part)]
            self._gates.multiply(self._vectors(part), out=rows)
            rows[:, : len(self._bias)] += self._bias
        self._number.update((word, number) for number, word in enumerate(new, start=first))

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


def subword_buckets(word: str, buckets: int) -> list[int]:
    """Hash a word's endings, beginnings and three-letter stretches into numbers below `buckets`.

    The training command uses this, too, so that both read a word alike.
    """
    spelling = _DIGIT.sub("0", word.lower())
    if len(spelling) > 2 * _MAX_CHARS_PER_END:
        spelling = spelling[:_MAX_CHARS_PER_END] + spelling[-_MAX_CHARS_PER_END:]
    ends = (spelling[-length:] for length in range(1, min(4, len(spelling)) + 1))
    starts = (spelling[:length] for length in range(1, min(3, len(spelling)) + 1))
    fenced = f"<{spelling}>"
    stretches = (fenced[start : start + 3] for start in range(len(fenced) - 2))
    return [
        zlib.crc32(piece.encode("utf-8", "surrogatepass"), begun) % buckets
        for begun, pieces in ((_END, ends), (_START, starts), (0, stretches))
        for piece in pieces
    ]
