"""A candidate's vector beside its references': the centroid, the nearest, how much they agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray, Ragged
from captious.samples import Samples
from captious.text.vectors.caption_vectors import Vectors, at_length_one, centroids

IMAGES_AT_ONCE = 2048  # this and the next bound memory, and change nothing else
PAIRS_AT_ONCE = 1 << 15
LEAST_AGREEMENT = 0.3  # references that agree less are taken to agree so much


@dataclass(frozen=True, eq=False)
class ReferenceViews:
    """The centroid of each image's references, and how near each lies to that of the others."""

    centroids: Vectors
    agreement: FloatArray

    @classmethod
    def of(
        cls, vectors_at: Callable[[IntArray], Vectors], rows: Ragged, usual: float
    ) -> ReferenceViews:
        """From the vectors of captions by row; `usual` is the agreement of one that is alone."""
        parts = []
        for start in range(0, len(rows), IMAGES_AT_ONCE):
            some = rows.take(np.arange(start, min(start + IMAGES_AT_ONCE, len(rows))))
            vectors = vectors_at(some.values)
            parts.append((centroids(vectors, some.offsets), _agreement(vectors, some, usual)))
        together, agreement = zip(*parts, strict=True)
        return cls(np.concatenate(together), np.concatenate(agreement))


@dataclass(frozen=True, eq=False)
class Views:
    """Cosines of each sample's candidate: to the centroid and to the nearest reference."""

    centroid: FloatArray
    nearest: FloatArray

    @classmethod
    def of(
        cls,
        samples: Samples,
        mine: Vectors,
        vectors_at: Callable[[IntArray], Vectors],
        together: Vectors,
    ) -> Views:
        """From one vector a candidate, by caption, those of references by row, and centroids."""
        pairs = samples.pairs
        rows = samples.rows[pairs.owners]
        each = np.empty(len(rows))
        for start in range(0, len(rows), PAIRS_AT_ONCE):
            some = slice(start, start + PAIRS_AT_ONCE)
            each[some] = products(mine[rows[some]], vectors_at(pairs.values[some]))
        nearest = np.maximum.reduceat(each, pairs.offsets[:-1])
        return cls(products(mine[samples.rows], together), nearest)


def products(a: Vectors, b: Vectors) -> FloatArray:
    """The cosine of each row of a and of b, all of length one."""
    cosines: FloatArray = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.clip(cosines, -1.0, 1.0)


def _agreement(vectors: Vectors, rows: Ragged, usual: float) -> FloatArray:
    """How near references lie to the centroid of the others, on average; zeros do not count."""
    sums = np.add.reduceat(vectors, rows.offsets[:-1], axis=0)
    others = at_length_one(sums[rows.owners] - vectors)
    totals = np.bincount(rows.owners, products(vectors, others), minlength=len(rows))
    counts = np.bincount(rows.owners, (vectors != 0).any(axis=1), minlength=len(rows))
    agreement = np.where(counts > 1, totals / np.maximum(counts, 1), usual)
    return np.maximum(agreement, LEAST_AGREEMENT)
