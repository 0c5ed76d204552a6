"""The parser's LSTM, compared with its formula sentence by sentence."""

from __future__ import annotations

import numpy as np
import pytest

from captious.text.parser.lstm import DIRECTIONS, Lstm
from captious.text.parser.work_arrays import WorkArrays

INPUTS, WIDTH = 3, 4


@pytest.fixture
def weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    shapes = {"input": (INPUTS, 4 * WIDTH), "state": (WIDTH, 4 * WIDTH), "bias": (4 * WIDTH,)}
    return {
        f"lstm_{way}_{part}": random.standard_normal(shape).astype(np.float32)
        for way in DIRECTIONS
        for part, shape in shapes.items()
    }


def sigmoid(values: np.ndarray) -> np.ndarray:
    result: np.ndarray = 1 / (1 + np.exp(-values))
    return result


def states_by_formula(inputs: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """The states of one sentence, forward ones beside backward ones, in double precision."""
    sides = []
    for way, order in zip(DIRECTIONS, (1, -1), strict=True):
        into, before, bias = (
            weights[f"lstm_{way}_{part}"].astype(np.float64) for part in ("input", "state", "bias")
        )
        state, cell, states = np.zeros(WIDTH), np.zeros(WIDTH), []
        for vector in inputs[::order]:
            let_in, keep, new, let_out = np.split(vector @ into + state @ before + bias, 4)
            cell = sigmoid(keep) * cell + sigmoid(let_in) * np.tanh(new)
            state = sigmoid(let_out) * np.tanh(cell)
            states.append(state)
        sides.append(np.array(states[::order]))
    return np.concatenate(sides, axis=1)


@pytest.mark.parametrize("length", [1, 2, 7])
def test_states_are_the_formulas(weights: dict[str, np.ndarray], length: int) -> None:
    inputs = np.random.default_rng(length).standard_normal((length, 5, INPUTS)).astype(np.float32)
    states = Lstm(weights, "lstm").run(inputs, WorkArrays())
    for sentence in range(5):
        expected = states_by_formula(inputs[:, sentence], weights)
        # States come doubled.
        np.testing.assert_allclose(states[:, sentence] / 2, expected, rtol=1e-4, atol=1e-6)
