"""A bidirectional LSTM in NumPy, over batches of sentences, and cached gate inputs of words."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix
from captious._internal.locks import ForkSafeLock

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Sentences, or words, that go through the network together. More use a matrix better that was
# fetched once; fewer keep what is computed of them in the processor's cache.
BATCH_ROWS = 96
DIRECTIONS = ("forward", "backward")
_MAX_CACHED_WORDS = 16_384  # well above what one batch can hold
_MAX_CHARS_PER_END = 12  # of a longer word only both ends are read: the cost stays bounded
_DIGIT = re.compile(r"\d")


class Lstm:
    """One bidirectional layer; its states are doubled, and the weights that read them halved.

    A sigmoid is (1 + tanh of half its argument) / 2. With the first half taken in the weights, one
    call of tanh serves all four gates; with the second in the weights of the next layer,
    nothing is left to be halved but the cell. Halves are exact, so no bit of a result depends on
    where they are taken.
    """

    def __init__(self, weights: Mapping[str, Floats], name: str) -> None:
        self.width = width = weights[f"{name}_forward_state"].shape[0]
        # Input, forget and output gate side by side, and the new values, a tanh, behind them.
        order = np.r_[0 : 2 * width, 3 * width : 4 * width, 2 * width : 3 * width]
        halves = np.full(4 * width, 0.5, np.float32)
        halves[3 * width :] = 1
        inputs, states, self._bias = (
            [weights[f"{name}_{way}_{part}"][..., order] * halves for way in DIRECTIONS]
            for part in ("input", "state", "bias")
        )
        self._input = [PackedMatrix(matrix) for matrix in inputs]
        self._state = [PackedMatrix(matrix * np.float32(0.5)) for matrix in states]

    def gates(self, inputs: Floats) -> tuple[Floats, Floats]:
        """Return the inputs' contributions to the gates, forward and backward, in rows."""
        ahead, back = (
            matrix.multiply(inputs).reshape(-1, 4 * self.width) for matrix in self._input
        )
        ahead += self._bias[0]
        back += self._bias[1]
        return ahead, back

    def run(
        self,
        gates: tuple[Floats, Floats],
        reads: tuple[Ints, Ints],
        states: Floats,
        writes: tuple[Ints, Ints],
    ) -> None:
        """Run over sentences, forward and backward (a pair has one for each way).

        At each step `reads` has the rows of `gates` to read, and `writes` the rows of `states` to
        write: those of forward states in the left half, of backward ones in the right.
        """
        halves = states[:, : self.width], states[:, self.width :]
        for way in range(2):
            self._run(self._state[way], gates[way], reads[way], halves[way], writes[way])

    def _run(
        self, weights: PackedMatrix, gates: Floats, reads: Ints, states: Floats, writes: Ints
    ) -> None:
        """Run over sentences in one direction."""
        width = self.width
        count = reads.shape[1]
        cell = np.zeros((count, width), np.float32)
        state, added = np.empty_like(cell), np.empty_like(cell)
        opened = np.empty((count, 4 * width), np.float32)
        read = np.empty_like(opened)
        sigmoids, new = opened[:, : 3 * width], opened[:, 3 * width :]
        let_in, keep, let_out = (
            sigmoids[:, part * width : (part + 1) * width] for part in range(3)
        )
        for step in range(len(reads)):
            np.take(gates, reads[step], axis=0, out=read, mode="clip")  # `raise` would copy it
            if step:
                weights.multiply(state, out=opened)
                opened += read
                np.tanh(opened, out=opened)
            else:
                np.tanh(read, out=opened)
            sigmoids += 1
            cell *= keep
            np.multiply(let_in, new, out=added)
            cell += added
            cell *= 0.5
            np.tanh(cell, out=state)
            state *= let_out
            states[writes[step]] = state


class WordGates:
    """Cache of the gate inputs of words, forward and backward, computed once for each word."""

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
        """Return the rows of words and the tables; rows never change once written."""
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
    pieces = [f"end {spelling[-length:]}" for length in range(1, min(4, len(spelling)) + 1)]
    pieces += [f"start {spelling[:length]}" for length in range(1, min(3, len(spelling)) + 1)]
    fenced = f"<{spelling}>"
    pieces += [fenced[start : start + 3] for start in range(len(fenced) - 2)]
    encoded = (piece.encode("utf-8", "surrogatepass") for piece in pieces)
    return [zlib.crc32(piece) % buckets for piece in encoded]
