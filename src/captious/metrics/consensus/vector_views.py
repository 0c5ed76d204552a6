"""A candidate's vector beside its references': the centroid, the nearest, how much they agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray, Ragged
from captious.loops.directions import row_differences, row_products
from captious.samples import Samples
from captious.text.vectors.caption_vectors import (
    CaptionPlaces,
    Vectors,
    are_zeros,
    sums_of,
    to_length_one,
)

# So many have their vectors in a core's own memory; it changes nothing but the time.
IMAGES_AT_ONCE = 128
PAIRS_AT_ONCE = 1 << 13  # bounds memory, changes nothing else
LEAST_AGREEMENT = 0.3  # references that agree less are taken to agree so much

IN_ORDER = 8  # references that are added one after another

PlacesAt = Callable[[IntArray], CaptionPlaces]


@dataclass(frozen=True, eq=False)
class ReferenceViews:
    """The centroid of each image's references, and how near each lies to that of the others."""

    centroids: Vectors
    agreement: FloatArray

    @classmethod
    def of(cls, places_at: PlacesAt, rows: Ragged, usual: float) -> ReferenceViews:
        """From the places of captions by row; `usual` is the agreement of one that is alone."""
        parts = []
        for start in range(0, len(rows), IMAGES_AT_ONCE):
            some = rows.take(np.arange(start, min(start + IMAGES_AT_ONCE, len(rows))))
            places = places_at(some.values)
            sums = sums_of(places.vectors, Ragged(places.rows, some.offsets))
            parts.append((to_length_one(sums), _agreement(places, some, usual)))
        together, agreement = zip(*parts, strict=True)
        return cls(np.concatenate(together), np.concatenate(agreement))


@dataclass(frozen=True, eq=False)
class Views:
    """Cosines of each sample's candidate: to the centroid and to the nearest reference."""

    centroid: FloatArray
    nearest: FloatArray

    @classmethod
    def of(
        cls, samples: Samples, mine: Vectors, places_at: PlacesAt, together: CaptionPlaces
    ) -> Views:
        """From one vector a candidate, by caption, those of references by row, and centroids."""
        pairs = samples.pairs
        rows = samples.rows[pairs.owners]
        each = np.empty(len(rows))
        for start in range(0, len(rows), PAIRS_AT_ONCE):
            some = slice(start, start + PAIRS_AT_ONCE)
            each[some] = cosines(CaptionPlaces(mine, rows[some]), places_at(pairs.values[some]))
        nearest = np.maximum.reduceat(each, pairs.offsets[:-1])
        return cls(cosines(CaptionPlaces(mine, samples.rows), together), nearest)


def cosines(a: CaptionPlaces, b: CaptionPlaces) -> FloatArray:
    """The cosine of each pair of vectors, all of length one."""
    products = np.empty(len(a.rows))
    row_products(a.vectors.data, a.rows.data, b.vectors.data, b.rows.data, products.data)
    return np.clip(products, -1.0, 1.0, out=products)


def _agreement(places: CaptionPlaces, rows: Ragged, usual: float) -> FloatArray:
    """How near references lie to the centroid of the others, on average; zeros do not count."""
    sums, owners = _sums(places, rows), rows.owners
    others = np.empty((len(owners), sums.shape[1]), np.float32)
    row_differences(sums.data, owners.data, places.vectors.data, places.rows.data, others.data)
    near = cosines(places, CaptionPlaces.every(to_length_one(others)))
    totals = np.bincount(owners, near, minlength=len(rows))
    counts = np.bincount(owners, ~are_zeros(places), minlength=len(rows))
    agreement = np.where(counts > 1, totals / np.maximum(counts, 1), usual)
    return np.maximum(agreement, LEAST_AGREEMENT)


def _sums(places: CaptionPlaces, rows: Ragged) -> Vectors:
    """The sum of each image's references as NumPy's `reduceat` adds: the first to that of the rest.

    Eight and more of the rest it adds in another order still, and slowly.
    """
    if rows.lengths.max() > IN_ORDER:
        return np.add.reduceat(places.vectors[places.rows], rows.offsets[:-1], axis=0)
    firsts = rows.offsets[:-1]
    offsets = np.append(np.column_stack([firsts, firsts + 1]).ravel(), rows.offsets[-1])
    halves = sums_of(places.vectors, Ragged(places.rows, offsets))
    return halves[::2] + halves[1::2]
