"""A bidirectional LSTM in NumPy, over batches of sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix

Floats = NDArray[np.float32]

DIRECTIONS = ("forward", "backward")


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

    def run(self, inputs: Floats) -> Floats:
        """Return the states of every step, forward ones beside backward ones.

        The inputs of sentences of one length are (step, sentence, number), and so are the states.
        """
        length, count, _ = inputs.shape
        states = np.empty((length, count, 2 * self.width), np.float32)
        for way, steps in enumerate(both_ways(length)):
            gates = self._input[way].multiply(inputs)
            gates += self._bias[way]
            half = states[..., way * self.width : (way + 1) * self.width]
            self._run(self._state[way], gates, steps, half)
        return states

    def _run(self, weights: PackedMatrix, gates: Floats, steps: range, states: Floats) -> None:
        """Run over sentences in one direction; the gates are overwritten."""
        width = self.width
        cell = np.zeros(states.shape[1:], np.float32)
        added, products = np.empty_like(cell), np.empty_like(gates[0])
        before: Floats | None = None
        for step in steps:
            opened, state = gates[step], states[step]
            if before is not None:
                opened += weights.multiply(before, out=products)
            np.tanh(opened, out=opened)
            sigmoids, new = opened[:, : 3 * width], opened[:, 3 * width :]
            sigmoids += 1
            let_in, keep, let_out = (
                sigmoids[:, part * width : (part + 1) * width] for part in range(3)
            )
            cell *= keep
            np.multiply(let_in, new, out=added)
            cell += added
            cell *= 0.5
            np.tanh(cell, out=state)
            state *= let_out
            before = state


def both_ways(length: int) -> tuple[range, range]:
    """The steps of a sentence, forward and backward."""
    return range(length), range(length - 1, -1, -1)
