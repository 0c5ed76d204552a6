"""A candidate's vector beside its references': the centroid, the nearest, how much they agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from captious.ragged import FloatArray, IntArray, Ragged
from captious.samples import Samples
from captious.text.caption_vectors import Vectors, at_length_one, centroids

IMAGES_AT_ONCE = 2048  # bounds memory, changes nothing else
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
    """Cosines of each sample's candidate: to the centroid, the nearest reference, and relative."""

    centroid: FloatArray
    nearest: FloatArray
    relative: FloatArray  # the first divided by how much the references agree

    @classmethod
    def of(
        cls,
        samples: Samples,
        mine: Vectors,
        theirs: Vectors,
        prepared: ReferenceViews,
        images: IntArray,
    ) -> Views:
        """From one vector a candidate, by caption, and one vector a pair's reference.

        `images` has the place of each sample's image in what was prepared.
        """
        centroid = products(mine[samples.rows], prepared.centroids[images])
        each = products(mine[samples.rows[samples.pairs.owners]], theirs)
        nearest = np.maximum.reduceat(each, samples.pairs.offsets[:-1])
        return cls(centroid, nearest, centroid / prepared.agreement[images])


def products(a: Vectors, b: Vectors) -> FloatArray:
    """The cosine of each row of a and of b, all of length one."""
    found: FloatArray = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.clip(found, -1.0, 1.0)


def _agreement(vectors: Vectors, rows: Ragged, usual: float) -> FloatArray:
    sums = np.add.reduceat(vectors, rows.offsets[:-1], axis=0)
    others = at_length_one(sums[rows.owners] - vectors)
    totals = np.bincount(rows.owners, products(vectors, others), minlength=len(rows))
    agreement = np.where(rows.lengths > 1, totals / rows.lengths, usual)
    return np.maximum(agreement, LEAST_AGREEMENT)
