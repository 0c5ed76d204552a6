"""Judgements: what people said of captions, as ratings or as preferences between two."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from captious.checked import check_fields
from captious.ragged import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Ratings:
    """Captions beside their references, and what each rater gave them.

    `images` says which image a caption is of: captions of one image are resampled together, and
    are one document where documents are counted once an image. `groups` names a part of the
    benchmark (a language pair, `human` or `machine`) for each caption.
    """

    candidates: list[str]
    references: list[list[str]]
    images: list[Hashable]
    ratings: FloatArray  # one row a caption, one column a rater, NaN where a rater said nothing
    groups: list[str]

    def __post_init__(self) -> None:
        check_fields(self)

    def __len__(self) -> int:
        return len(self.candidates)

    def take(self, rows: IntArray) -> Ratings:
        """Some of the captions."""
        return Ratings(
            [self.candidates[row] for row in rows],
            [self.references[row] for row in rows],
            [self.images[row] for row in rows],
            self.ratings[rows],
            [self.groups[row] for row in rows],
        )


@dataclass(frozen=True, eq=False)
class Preferences:
    """Pairs of captions beside their references, and which of the two people preferred."""

    pairs: list[tuple[str, str]]
    references: list[list[str]]
    images: list[Hashable]
    preferred: IntArray  # 0 for the first caption of the pair, 1 for the second
    groups: list[str]  # such as HC, HI, HM, MM

    def __post_init__(self) -> None:
        check_fields(self)

    def __len__(self) -> int:
        return len(self.pairs)

    def take(self, rows: IntArray) -> Preferences:
        """Some of the pairs."""
        return Preferences(
            [self.pairs[row] for row in rows],
            [self.references[row] for row in rows],
            [self.images[row] for row in rows],
            np.asarray(self.preferred)[rows],
            [self.groups[row] for row in rows],
        )


Judgements = Ratings | Preferences


def by_measure(ratings: Ratings, measures: Sequence[str]) -> dict[str, Ratings]:
    """What people said of whole systems, the groups of ratings: one row a system, by measure.

    Each column of the ratings is a measure. A system stands for an image, since systems are what
    is resampled.
    """
    systems = list(dict.fromkeys(ratings.groups))
    first = np.array([ratings.groups.index(system) for system in systems])
    return {
        measure: Ratings(
            systems,
            [[] for _ in systems],
            list(systems),
            ratings.ratings[first, place, None],
            systems,
        )
        for place, measure in enumerate(measures)
    }
