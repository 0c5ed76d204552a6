"""Captions of the same image, paired with one another in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious.samples import References, Samples

MAX_PAIRS_AT_ONCE = 1 << 20  # bounds memory, changes no score
MAX_CAPTIONS_PER_IMAGE = 1000  # images with more are left out: all pairs are compared


@dataclass(frozen=True)
class CaptionsByImage:
    """Images with several captions each: the row of every caption in the pool's analysis."""

    pool: References
    rows: Ragged

    @property
    def beside_all(self) -> Samples:
        """Every caption paired with all of its image, itself included."""
        return self._beside(self.rows.take(self.rows.owners))

    @property
    def beside_others(self) -> Samples:
        """Every caption paired with the others of its image."""
        every = self.rows.take(self.rows.owners)
        within = np.arange(len(every.values)) - every.offsets[every.owners]
        mine = np.arange(len(self.rows.values)) - self.rows.offsets[self.rows.owners]
        kept = every.values[within != mine[every.owners]]
        return self._beside(Ragged(kept, offsets_of(every.lengths - 1)))

    def _beside(self, others: Ragged) -> Samples:
        return Samples.among(self.pool.regrouped(others), self.rows.values)

    def sorted_by_text(self) -> CaptionsByImage:
        """Sort each image's captions, so that their order does not affect scores."""
        captions = self.pool.analysis.captions
        different = np.unique(self.rows.values)
        rank = np.empty(len(captions), np.int64)
        rank[sorted(different.tolist(), key=captions.__getitem__)] = np.arange(len(different))
        order = np.lexsort((rank[self.rows.values], self.rows.owners))
        return CaptionsByImage(self.pool, Ragged(self.rows.values[order], self.rows.offsets))

    def in_blocks(self) -> Iterator[CaptionsByImage]:
        """All images, as many at once as their pairs of captions allow."""
        pairs = np.cumsum(self.rows.lengths**2)
        start = 0
        while start < len(self.rows):
            before = pairs[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(pairs, before + MAX_PAIRS_AT_ONCE, "right")))
            yield CaptionsByImage(self.pool, self.rows.take(np.arange(start, end)))
            start = end


def images_with_several(rows: Ragged) -> IntArray:
    """The images that have several captions, and not too many to be compared."""
    return np.flatnonzero((rows.lengths > 1) & (rows.lengths <= MAX_CAPTIONS_PER_IMAGE))
