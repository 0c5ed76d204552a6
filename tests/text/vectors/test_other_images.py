"""How near a caption lies to what is said of images in general."""

from __future__ import annotations

import numpy as np
import pytest

from captious.text.vectors.other_images import ROWS, TEMPERATURE, OtherImages
from captious.text.vectors.word_vectors import WordVectors

BANK = np.array([[1.0, 0.0], [0.0, 2.0]], np.float32)


def nearness(vectors: np.ndarray) -> np.ndarray:
    return OtherImages(WordVectors.of("bank", ["0", "1"], BANK)).nearness(vectors)


def test_a_soft_maximum_of_cosines() -> None:
    found = nearness(np.array([[1.0, 0.0], [0.0, 0.0]], np.float32))
    both = np.exp(np.array([1.0, 0.0]) / TEMPERATURE).mean()
    assert found == pytest.approx([TEMPERATURE * np.log(both), 0.0], abs=1e-6)


def test_a_row_is_the_same_beside_any_others() -> None:
    random = np.random.default_rng(0)
    rows = random.standard_normal((ROWS + 40, 2)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert nearness(rows)[-7:].tolist() == nearness(rows[-7:]).tolist()
