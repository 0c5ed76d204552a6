"""Judgements: what people said of captions, as ratings or as preferences between two."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.checks.arguments import check_fields
from captious.checks.kinds import LIST
from captious.corpus import Corpus
from captious.errors import InputError
from captious.shown import shown


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


def check_judgements(judgements: Judgements) -> None:
    """Stop at captions, references, images or groups that somebody has put together wrongly."""
    columns = {field.name: getattr(judgements, field.name) for field in fields(judgements)}
    for name, column in columns.items():
        if len(column) != len(judgements):
            raise InputError(
                f"{len(column)} {name} for {len(judgements)} judgements; give one for each"
            )
    if isinstance(judgements, Ratings):
        Corpus.of(judgements.candidates, judgements.references)
    else:
        for row, pair in enumerate(judgements.pairs):
            if not LIST.allows(pair) or len(pair) != 2:
                raise InputError(f"row {row}: a pair is two captions, not {shown(pair)}")
        for place in (0, 1):
            Corpus.of([pair[place] for pair in judgements.pairs], judgements.references)
    for row, (image, group) in enumerate(zip(judgements.images, judgements.groups, strict=True)):
        if not isinstance(image, Hashable) or not isinstance(group, str):
            raise InputError(
                f"row {row}: an image is a name or a number and a group a text, "
                f"not {shown(image)} and {shown(group)}"
            )


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
