"""The captions of several systems in one analysis: each different caption is analysed once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, joined
from captious.corpus import ReferenceColumns
from captious.errors import InputError, short_repr
from captious.samples import References
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
        places = joined(
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
