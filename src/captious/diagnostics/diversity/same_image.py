"""Captions of one image beside one another, some thousand images at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious.samples import References, Samples

MOST_PAIRS = 1 << 20  # of captions beside each other at once: bounds memory, changes no score
MOST_CAPTIONS = 1000  # of an image, each of which is compared with each


@dataclass(frozen=True)
class SameImage:
    """Images with several captions each: the row of every caption in the pool's analysis."""

    pool: References
    rows: Ragged

    @property
    def beside_all(self) -> Samples:
        """Every caption beside all of its image, itself among them."""
        return self._beside(self.rows.take(self.rows.owners))

    @property
    def beside_others(self) -> Samples:
        """Every caption beside the others of its image."""
        every = self.rows.take(self.rows.owners)
        within = np.arange(len(every.values)) - every.offsets[every.owners]
        mine = np.arange(len(self.rows.values)) - self.rows.offsets[self.rows.owners]
        kept = every.values[within != mine[every.owners]]
        return self._beside(Ragged(kept, offsets_of(every.lengths - 1)))

    def _beside(self, others: Ragged) -> Samples:
        return Samples.among(self.pool.regrouped(others), self.rows.values)

    def in_order_of_text(self) -> SameImage:
        """The same with each image's captions by the alphabet, so that theirs does not matter."""
        captions = self.pool.analysis.captions
        different = np.unique(self.rows.values)
        rank = np.empty(len(captions), np.int64)
        rank[sorted(different.tolist(), key=captions.__getitem__)] = np.arange(len(different))
        order = np.lexsort((rank[self.rows.values], self.rows.owners))
        return SameImage(self.pool, Ragged(self.rows.values[order], self.rows.offsets))

    def in_blocks(self) -> Iterator[SameImage]:
        """All images, as many at once as their pairs of captions allow."""
        pairs = np.cumsum(self.rows.lengths**2)
        start = 0
        while start < len(self.rows):
            before = pairs[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(pairs, before + MOST_PAIRS, "right")))
            yield SameImage(self.pool, self.rows.take(np.arange(start, end)))
            start = end


def images_with_several(rows: Ragged) -> IntArray:
    """The images that have several captions, and not too many to be compared."""
    return np.flatnonzero((rows.lengths > 1) & (rows.lengths <= MOST_CAPTIONS))
