"""Steps of the recurrent layers beside the same formulas on whole arrays, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops

WORDS = 7  # that there are
STEPS = 3
DEPTH = 2  # of what an LSTM reads


@dataclass(frozen=True)
class Batch:
    """A table of gates, words of sentences by step, and other gates and cells."""

    table: Any
    words: Any
    gates: Any
    cells: Any


class RecurrentLayers(Trial):
    """Batches and layers of any size: nothing else is done at any of them."""

    loops = ("recurrent_layers",)
    boundaries: ClassVar = {"sentences": (0, 1, 64), "numbers": (1, 7, 16)}

    def short(self) -> Sequence[Batch]:
        return [drawn(sentences, 5) for sentences in (0, 1, 4)]

    def long(self) -> Sequence[Batch]:
        return [drawn(sentences, size) for sentences in (2, 192) for size in (1, 2, 8, 17)]

    def answer(self, loops: Loops, problem: Batch) -> list[Any]:
        loop, width = loops["recurrent_layers"], problem.cells.shape[2]
        sentences = problem.words.shape[1]
        states = np.full((STEPS, sentences, 2 * width), np.nan, np.float32)
        read = np.full((sentences, DEPTH + width + 1), np.nan, np.float32)
        word_cells, lstm_cells = problem.cells.copy()
        gates = np.full((sentences, 3 * width), np.nan, np.float32)
        for way in range(2):
            loop.add_word_gates(problem.table, way, problem.words[1], problem.words[0], gates)
            loop.update_word_cells(gates, word_cells, states, way, way)
        loop.update_lstm_cells(problem.gates, lstm_cells)
        opened = np.tanh(lstm_cells)
        loop.write_lstm_states(problem.gates, opened, read, DEPTH, states, 2, 1)
        return [array.tobytes() for array in (gates, word_cells, lstm_cells, states, read)]

    def check(self, problem: Batch, answer: list[Any]) -> None:
        width, half = problem.cells.shape[2], np.float32(0.5)
        states = np.full((STEPS, problem.words.shape[1], 2 * width), np.nan, np.float32)
        cells, lstm_cells = problem.cells
        for way in range(2):
            own = problem.table[:, 3 * width * way :][:, : 3 * width]
            following = problem.table[:, 3 * width * (way + 2) :][:, : 3 * width]
            gates = own[problem.words[1]] + following[problem.words[0]]
            new, keep, let_out = np.split(gates, 3, axis=1)
            cells = ((cells + new) + (cells - new) * keep) * half
            states[way, :, width * way : width * (way + 1)] = (let_out + 1) * cells
        let_in, keep, let_out = np.split(problem.gates[:, : 3 * width] + 1, 3, axis=1)
        lstm_cells = (lstm_cells * keep + let_in * problem.gates[:, 3 * width :]) * half
        read = np.full((len(gates), DEPTH + width + 1), np.nan, np.float32)
        read[:, DEPTH:-1] = states[2, :, width:] = np.tanh(lstm_cells) * let_out
        expected = (gates, cells, lstm_cells, states, read)
        assert answer == [array.tobytes() for array in expected]

    def sizes(self, problem: Batch) -> list[dict[str, int]]:
        _, sentences, width = problem.cells.shape
        return [{"sentences": sentences, "numbers": width}]


def drawn(sentences: int, width: int, seed: int = 0) -> Batch:
    """Gates between -1 and 1, as a tanh gives them."""
    random = np.random.default_rng(seed)

    def numbers(*shape: int) -> Any:
        return random.uniform(-1, 1, shape).astype(np.float32)

    words = random.integers(0, WORDS, (2, sentences))
    return Batch(
        numbers(WORDS, 12 * width), words, numbers(sentences, 4 * width),
        numbers(2, sentences, width),
    )  # fmt: skip
