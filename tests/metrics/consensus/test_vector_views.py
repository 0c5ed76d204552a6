"""Views of vectors: the same numbers as NumPy gives, to the last bit."""

from __future__ import annotations

import platform

import numpy as np
import pytest

from captious.arrays.ragged import Ragged, offsets_of
from captious.metrics.consensus.vector_views import IN_ORDER, ReferenceViews, _sums, cosines
from captious.text.vectors.caption_vectors import CaptionPlaces, Vectors, at_length_one, centroids

SIZES = (1, 2, 7, 8, 12, 384)


def drawn(count: int, size: int) -> Vectors:
    random = np.random.default_rng(size)
    return at_length_one(random.standard_normal((count, size)).astype(np.float32))


@pytest.mark.parametrize("most", [IN_ORDER, IN_ORDER + 1, 40])
@pytest.mark.parametrize("size", SIZES)
def test_references_are_added_as_numpy_adds_them(most: int, size: int) -> None:
    lengths = np.arange(1, most + 1)
    vectors, rows = drawn(50, size), np.random.default_rng(most).integers(0, 50, lengths.sum())
    places, apart = CaptionPlaces(vectors, rows), Ragged(rows, offsets_of(lengths))
    expected = np.add.reduceat(vectors[rows], apart.offsets[:-1], axis=0)
    assert _sums(places, apart).tolist() == expected.tolist()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="NumPy adds otherwise")
@pytest.mark.parametrize("size", SIZES)
def test_cosines_are_those_of_einsum(size: int) -> None:
    a, b = drawn(300, size), drawn(300, size + 1)[:, :size].copy()
    rows, others = np.arange(300), np.arange(300)[::-1].copy()
    expected = np.einsum("ij,ij->i", a, b[others], dtype=np.float64)
    found = cosines(CaptionPlaces(a, rows), CaptionPlaces(b, others))
    assert found.tolist() == np.clip(expected, -1, 1).tolist()


@pytest.mark.parametrize("at_once", [1, 3, 1000])
def test_how_many_images_are_looked_at_together_changes_nothing(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = np.array([1, 4, 5, 12, 2, 1])
    vectors = drawn(int(lengths.sum()), 24)
    vectors[3] = 0
    rows = Ragged(np.arange(len(vectors)), offsets_of(lengths))
    usual = ReferenceViews.of(lambda some: CaptionPlaces(vectors, some), rows, 0.5)
    monkeypatch.setattr("captious.metrics.consensus.vector_views.IMAGES_AT_ONCE", at_once)
    again = ReferenceViews.of(lambda some: CaptionPlaces(vectors, some), rows, 0.5)
    assert again.agreement.tolist() == usual.agreement.tolist()
    assert again.centroids.tolist() == usual.centroids.tolist()
    assert usual.centroids.tolist() == centroids(vectors, rows.offsets).tolist()
    assert usual.agreement[0] == 0.5
