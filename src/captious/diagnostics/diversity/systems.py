"""The captions of several systems in one analysis, and the captions of one image paired."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, concatenate_ragged, offsets_of
from captious.corpus import ReferenceColumns
from captious.errors import InputError, short_repr
from captious.samples import References, Samples
from captious.text.analysis import Analysis


@dataclass(frozen=True)
class System:
    """One system's captions: the row of each in the analysis of all, image by image."""

    ids: list[Hashable]
    rows: Ragged

    @property
    def captions(self) -> int:
        """How many there are."""
        return len(self.rows.values)

    def repetitions(self, different: int) -> IntArray:
        """How often the system has each distinct caption of the analysis."""
        return np.bincount(self.rows.values, minlength=different)


@dataclass(frozen=True)
class Systems:
    """Several systems by name, and all their captions."""

    by_name: dict[str, System]
    pool: References

    @classmethod
    def of(cls, captions: Mapping[str, ReferenceColumns], tokenizer: str) -> Systems:
        """Put all captions into one analysis."""
        if not captions:
            raise InputError("no systems: there are no captions to describe")
        for name, columns in captions.items():
            if not columns.captions:
                raise InputError(f"{short_repr(name)}: no captions to describe")
        every = list(chain.from_iterable(columns.captions for columns in captions.values()))
        places = concatenate_ragged(
            [
                Ragged(np.arange(len(columns.captions)), columns.offsets)
                for columns in captions.values()
            ]
        )
        pool = References(every, places.offsets, tokenizer)
        starts = np.cumsum([0, *(len(columns) for columns in captions.values())])
        return cls(
            {
                name: System(columns.ids, pool.rows.take(np.arange(start, start + len(columns))))
                for (name, columns), start in zip(captions.items(), starts, strict=False)
            },
            pool,
        )

    @property
    def analysis(self) -> Analysis:
        """Of the different captions of all systems."""
        return self.pool.analysis

    @property
    def min_captions(self) -> int:
        """The number of captions of the system with the fewest."""
        return min(system.captions for system in self.by_name.values())


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
        return Samples.of_references(self.pool.regroup(others), self.rows.values)

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
