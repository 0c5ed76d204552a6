"""A candidate's vector beside its references': the centroid, the nearest, how much they agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious.ragged import FloatArray, Ragged
from captious.samples import Samples
from captious.text.caption_vectors import Vectors, at_length_one, centroids

LEAST_AGREEMENT = 0.3  # references that agree less are taken to agree so much


@dataclass(frozen=True, eq=False)
class ReferenceViews:
    """The centroid of each image's references, and how near each lies to that of the others."""

    centroids: Vectors
    agreement: FloatArray

    @classmethod
    def of(cls, vectors: Vectors, rows: Ragged, usual: float) -> ReferenceViews:
        """From one vector a reference; `usual` is the agreement of a reference that is alone."""
        others = at_length_one(_sums(vectors, rows)[rows.owners] - vectors)
        totals = np.bincount(rows.owners, products(vectors, others), minlength=len(rows))
        agreement = np.where(rows.lengths > 1, totals / np.maximum(rows.lengths, 1), usual)
        return cls(centroids(vectors, rows.offsets), np.maximum(agreement, LEAST_AGREEMENT))


@dataclass(frozen=True, eq=False)
class Views:
    """Cosines of each sample's candidate: to the centroid, the nearest reference, and relative."""

    centroid: FloatArray
    nearest: FloatArray
    relative: FloatArray  # the first divided by how much the references agree

    @classmethod
    def of(
        cls, samples: Samples, mine: Vectors, theirs: Vectors, prepared: ReferenceViews
    ) -> Views:
        """From one vector a candidate, by caption, and one vector a pair's reference."""
        centroid = products(mine[samples.rows], prepared.centroids[samples.images])
        each = products(mine[samples.rows[samples.pairs.owners]], theirs)
        nearest = np.maximum.reduceat(each, samples.pairs.offsets[:-1])
        return cls(centroid, nearest, centroid / prepared.agreement[samples.images])


def products(a: Vectors, b: Vectors) -> FloatArray:
    """The cosine of each row of a and of b, all of length one."""
    found: FloatArray = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.clip(found, -1.0, 1.0)


def _sums(vectors: Vectors, rows: Ragged) -> Vectors:
    sums: Vectors = np.add.reduceat(vectors, rows.offsets[:-1], axis=0)
    return sums
