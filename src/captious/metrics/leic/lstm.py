"""LSTM over captions in NumPy, and the truncation and padding of captions for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.arrays.row_products import PackedMatrix
from captious.images.vectors import SingleArray
from captious.metrics.parameters import PAPER
from captious.text.vocabulary import EDGE

CAPTIONS_PER_BATCH = 64  # so that their states stay in the processor's cache
PADDING = EDGE  # after a caption's end, where nothing is read


@dataclass(frozen=True, eq=False)
class Lstm:
    """Word vectors and one layer, its gates in PyTorch's order: input, forget, cell, output."""

    words: SingleArray
    from_word: PackedMatrix
    from_state: PackedMatrix
    bias: SingleArray

    def last_outputs(self, captions: Ragged) -> SingleArray:
        """Compute the output at each caption's end token, in batches of equal length."""
        outputs = np.zeros((len(captions), self.from_state.shape[0]), np.float32)
        lengths = captions.lengths
        # What a word brings is the same wherever it stands: computed once for each that occurs.
        used, places = np.unique(np.append(captions.values, EDGE), return_inverse=True)
        input_terms = self.from_word.multiply(self.words[used]) + self.bias
        for length in np.unique(lengths).tolist():
            rows = np.flatnonzero(lengths == length)
            read = places[captions.offsets[rows][:, None] + np.arange(length)]
            read = np.column_stack([read, np.full(len(rows), places[-1])])
            for start in range(0, len(rows), CAPTIONS_PER_BATCH):
                batch = slice(start, start + CAPTIONS_PER_BATCH)
                outputs[rows[batch]] = self._run(read[batch], input_terms)
        return outputs

    def _run(self, words: IntArray, input_terms: SingleArray) -> SingleArray:
        """Run the LSTM over captions of one length; return its last output."""
        size = self.from_state.shape[0]
        output: SingleArray = np.zeros((len(words), size), np.float32)
        cell: SingleArray = np.zeros_like(output)
        for place in range(words.shape[1]):
            gates = self.from_state.multiply(output)
            gates += input_terms[words[:, place]]
            cell *= _gate(gates[:, size : 2 * size])
            cell += _gate(gates[:, :size]) * np.tanh(gates[:, 2 * size : 3 * size])
            np.multiply(_gate(gates[:, 3 * size :]), np.tanh(cell), out=output)
        return output


def _gate(values: SingleArray) -> SingleArray:
    """Compute the logistic function, as a hyperbolic tangent of half its argument."""
    gate: SingleArray = np.tanh(values * np.float32(0.5))
    gate += 1
    gate *= np.float32(0.5)
    return gate


def truncate(numbers: Ragged, longest: int) -> Ragged:
    """Truncate captions to `longest` words."""
    lengths = np.minimum(numbers.lengths, longest)
    offsets = offsets_of(lengths)
    places = np.arange(offsets[-1]) + np.repeat(numbers.offsets[:-1] - offsets[:-1], lengths)
    return Ragged(numbers.values[places], offsets)


def has_end_token(lengths: IntArray, longest: int, variant: str) -> IntArray:
    """Return which captions, of so many words before truncation, have a vector.

    The released code reads that many steps in all, and a caption whose end comes later has zeros
    in place of its vector. Here the paper's critic reads the end after the last word kept.
    """
    if variant == PAPER:
        return np.ones(len(lengths), np.bool_)
    return lengths < longest


def pad_captions(numbers: Ragged) -> IntArray:
    """Return a row a caption with its end token, padded to one length."""
    lengths = numbers.lengths
    columns = np.arange(int(lengths.max(initial=0)) + 1)
    rows = np.full((len(numbers), len(columns)), PADDING, np.int64)
    rows[columns < lengths[:, None]] = numbers.values
    return rows
