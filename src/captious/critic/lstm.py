"""An LSTM over captions in NumPy: its output at each caption's end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious.arrays.equal_batches import in_equal_batches
from captious.arrays.ragged import IntArray, Ragged
from captious.images.vectors import SingleArray
from captious.text.vocabulary import EDGE

ROWS = 64  # captions read at a time


@dataclass(frozen=True, eq=False)
class Lstm:
    """Word vectors and one layer, its gates in PyTorch's order: input, forget, cell, output."""

    words: SingleArray
    from_word: SingleArray
    from_state: SingleArray
    bias: SingleArray

    def last_outputs(self, captions: Ragged) -> SingleArray:
        """The output after the edge that ends each caption; those of one length go together."""
        size = self.from_state.shape[1]
        outputs = np.zeros((len(captions), size), np.float32)
        lengths = captions.lengths
        # What a word brings is the same wherever it stands: computed once for each that occurs.
        used, places = np.unique(np.append(captions.values, EDGE), return_inverse=True)
        weights = self.from_word.T
        brought = in_equal_batches(self.words[used], ROWS, lambda some: some @ weights) + self.bias
        for length in np.unique(lengths).tolist():
            rows = np.flatnonzero(lengths == length)
            read = places[captions.offsets[rows][:, None] + np.arange(length)]
            read = np.column_stack([read, np.full(len(rows), places[-1])])
            outputs[rows] = in_equal_batches(read, ROWS, lambda some: self._read(some, brought))
        return outputs

    def _read(self, words: IntArray, brought: SingleArray) -> SingleArray:
        """Captions of one length, word by word."""
        size = self.from_state.shape[1]
        output: SingleArray = np.zeros((len(words), size), np.float32)
        cell: SingleArray = np.zeros_like(output)
        weights = self.from_state.T
        for place in range(words.shape[1]):
            gates = output @ weights
            gates += brought[words[:, place]]
            cell *= _gate(gates[:, size : 2 * size])
            cell += _gate(gates[:, :size]) * np.tanh(gates[:, 2 * size : 3 * size])
            np.multiply(_gate(gates[:, 3 * size :]), np.tanh(cell), out=output)
        return output


def _gate(values: SingleArray) -> SingleArray:
    """The logistic function, which is a hyperbolic tangent of half its argument."""
    gate: SingleArray = np.tanh(values * np.float32(0.5))
    gate += 1
    gate *= np.float32(0.5)
    return gate
