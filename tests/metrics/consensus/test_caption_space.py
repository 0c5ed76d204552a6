"""Cosines of pairs: the same numbers as NumPy gives, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from captious.metrics.consensus.caption_space import cosines
from captious.text.vectors.caption_vectors import VectorRows, Vectors, normalize


def random_vectors(count: int, size: int) -> Vectors:
    rng = np.random.default_rng(size)
    return normalize(rng.standard_normal((count, size)).astype(np.float32))


@pytest.mark.parametrize("size", (1, 2, 7, 8, 12, 384))
def test_cosines_are_those_of_einsum(size: int) -> None:
    a, b = random_vectors(300, size), random_vectors(300, size + 1)[:, :size].copy()
    rows, others = np.arange(300), np.arange(300)[::-1].copy()
    expected = np.einsum("ij,ij->i", a, b[others], dtype=np.float64)
    actual = cosines(VectorRows(a, rows), VectorRows(b, others))
    # Which order NumPy adds in depends on its version and on the processor.
    assert actual == pytest.approx(np.clip(expected, -1, 1), abs=1e-15)
