"""The parser's first layer, compared with its formula word by word."""

from __future__ import annotations

import numpy as np
import pytest

from captious.text.parser.word_layer import WordLayer, subword_buckets
from captious.text.parser.work_arrays import WorkArrays

WIDTH, WORD, SUBWORD, BUCKETS = 5, 4, 3, 16
KNOWN = ["a", "dog", "runs"]
SENTENCES = [["a", "cat", "runs"], ["runs", "a", "dog"], ["dog", "dog", "mice"]]


@pytest.fixture
def weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    shapes = {
        "word": (len(KNOWN) + 1, WORD),
        "subword": (BUCKETS, SUBWORD),
        "own_gates": (WORD + SUBWORD, 6 * WIDTH),
        "own_gates_bias": (6 * WIDTH,),
        "next_gates": (WORD + SUBWORD, 6 * WIDTH),
    }
    return {
        name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()
    }


def sigmoid(values: np.ndarray) -> np.ndarray:
    result: np.ndarray = 1 / (1 + np.exp(-values))
    return result


def states_by_formula(sentence: list[str], weights: dict[str, np.ndarray]) -> np.ndarray:
    """The states of a sentence, forward ones beside backward ones, in double precision."""
    vectors = []
    for word in sentence:
        own = weights["word"][KNOWN.index(word) + 1 if word in KNOWN else 0]
        pieces = weights["subword"][subword_buckets(word, BUCKETS)].mean(axis=0)
        vectors.append(np.concatenate([own, pieces]).astype(np.float64))
    sides = []
    for way in range(2):
        columns = slice(3 * WIDTH * way, 3 * WIDTH * (way + 1))
        cell, before, states = np.zeros(WIDTH), np.zeros(3 * WIDTH), []
        for vector in vectors[:: 1 if way == 0 else -1]:
            gates = vector @ weights["own_gates"][:, columns] + before
            gates += weights["own_gates_bias"][columns]
            before = vector @ weights["next_gates"][:, columns]
            new, keep, let_out = np.split(gates, 3)
            cell = sigmoid(keep) * cell + (1 - sigmoid(keep)) * np.tanh(new)
            states.append(sigmoid(let_out) * cell)
        sides.append(np.array(states[:: 1 if way == 0 else -1]))
    return np.concatenate(sides, axis=1)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_states_are_the_formulas(weights: dict[str, np.ndarray], length: int) -> None:
    sentences = [sentence[:length] for sentence in SENTENCES]
    states = WordLayer(KNOWN, weights).run(sentences, WorkArrays())
    for row, sentence in enumerate(sentences):
        expected = states_by_formula(sentence, weights)
        # States come doubled.
        np.testing.assert_allclose(states[:, row] / 2, expected, rtol=1e-4, atol=1e-6)


def test_a_sentence_has_the_same_bits_in_any_batch(weights: dict[str, np.ndarray]) -> None:
    together = WordLayer(KNOWN, weights).run(SENTENCES, WorkArrays())
    for row, sentence in enumerate(SENTENCES):
        alone = WordLayer(KNOWN, weights).run([sentence], WorkArrays())
        assert alone[:, 0].tobytes() == together[:, row].tobytes()
