"""A bidirectional LSTM in NumPy, over batches of sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Sentences, or words, that go through the network together. More use a matrix better that was
# fetched once; fewer keep what is computed of them in the processor's cache.
BATCH_ROWS = 96
DIRECTIONS = ("forward", "backward")


class Lstm:
    """One layer, both ways. Its states are given doubled: whatever reads them has halved weights.

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
        """What the inputs add to the gates, forward and backward, in rows."""
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
        """Go through sentences, forward and backward (a pair has one for each way).

        At each step `reads` has the rows of `gates` to read, and `writes` the rows of `states` to
        write: those of forward states in the left half, of backward ones in the right.
        """
        halves = states[:, : self.width], states[:, self.width :]
        for way in range(2):
            self._run(self._state[way], gates[way], reads[way], halves[way], writes[way])

    def _run(
        self, weights: PackedMatrix, gates: Floats, reads: Ints, states: Floats, writes: Ints
    ) -> None:
        """Go through sentences in one direction."""
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
