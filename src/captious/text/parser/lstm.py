"""A bidirectional LSTM in NumPy, over batches of sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix
from captious._internal.loops.recurrent_layers import update_lstm_cells, write_lstm_states
from captious.text.parser.work_arrays import WorkArrays

Floats = NDArray[np.float32]

DIRECTIONS = ("forward", "backward")
PARTS = ("input", "state", "bias")


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
        # What is read at each step, side by side: the input, the states before and a one.
        self._weights = [
            PackedMatrix(np.concatenate([parts[0], parts[1] * np.float32(0.5), parts[2][None]]))
            for parts in (
                [weights[f"{name}_{way}_{part}"][..., order] * halves for part in PARTS]
                for way in DIRECTIONS
            )
        ]

    def run(self, inputs: Floats, work: WorkArrays) -> Floats:
        """Return the states of every step, forward ones beside backward ones.

        The inputs of sentences of one length are (step, sentence, number), and so are the states.
        """
        length, count, _ = inputs.shape
        states = work.get("states", (length, count, 2 * self.width))
        for way, steps in enumerate(both_ways(length)):
            self._run(inputs, way, steps, states)
        return states

    def _run(self, inputs: Floats, way: int, steps: range, states: Floats) -> None:
        """Run over sentences in one direction."""
        _, count, depth = inputs.shape
        read = np.zeros((count, depth + self.width + 1), np.float32)
        read[:, -1] = 1
        gates = np.empty((count, 4 * self.width), np.float32)
        cells, opened = np.zeros((2, count, self.width), np.float32)
        for step in steps:
            read[:, :depth] = inputs[step]
            self._weights[way].multiply(read, out=gates)
            np.tanh(gates, out=gates)
            update_lstm_cells(gates, cells)
            np.tanh(cells, out=opened)
            write_lstm_states(gates, opened, read, depth, states, step, way)


def both_ways(length: int) -> tuple[range, range]:
    """The steps of a sentence, forward and backward."""
    return range(length), range(length - 1, -1, -1)
