"""Judgements: what people said of captions, as ratings or as preferences between two."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import LIST, check_fields
from captious.corpus import Corpus, ids_as_text
from captious.errors import InputError, short_repr
from captious.stats.bootstrap import max_abs

Self = TypeVar("Self", bound="Judged")


@dataclass(frozen=True, repr=False)
class Unnamed:
    """An image without a name: captions share it, but no file can be found."""

    number: Hashable

    def __str__(self) -> str:
        return str(self.number)

    def __repr__(self) -> str:
        return repr(self.number)


@dataclass(frozen=True, eq=False)
class Judged:
    """Rows of captions that people judged, as columns of one length.

    `scores` are columns of scores that came with the judgements, one number a caption. `votes` is
    what each person said, where judgements are made of that: one row a judgement, one column a
    rater, NaN where a rater said nothing.
    """

    each: ClassVar[int]  # captions of a row
    scores: Mapping[str, FloatArray] = field(default_factory=dict, kw_only=True)
    votes: FloatArray | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def columns(self) -> dict[str, Any]:
        """What is known of the rows, by name, but for scores and votes."""
        names = (column.name for column in fields(self))
        return {name: getattr(self, name) for name in names if name not in ("scores", "votes")}

    @property
    def score_shape(self) -> tuple[int, ...]:
        """The shape of scores, one for each caption, that fits the rows."""
        return (-1,) if self.each == 1 else (-1, self.each)

    def take(self: Self, rows: IntArray) -> Self:
        """Some of the rows."""
        taken = {
            name: column[rows] if isinstance(column, np.ndarray) else [column[row] for row in rows]
            for name, column in self.columns.items()
        }
        scores = {name: column[rows] for name, column in self.scores.items()}
        votes = None if self.votes is None else self.votes[rows]
        return replace(self, scores=scores, votes=votes, **taken)


@dataclass(frozen=True, eq=False)
class Ratings(Judged):
    """Captions with their references, and the rating of each rater.

    `images` says which image a caption is of, by the name or number by which its file is found,
    or as `Unnamed`: captions of one image are resampled together, and are one document where
    documents are counted once an image. `groups` names a part of the benchmark (a language pair,
    `human` or `machine`) for each caption.
    """

    candidates: list[str]
    references: list[list[str]]
    images: list[Hashable]
    ratings: FloatArray  # one row a caption, one column a rater, NaN where a rater said nothing
    groups: list[str]
    each = 1

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def captions(self) -> Iterable[tuple[str, ...]]:
        """What was judged in each row."""
        return ((caption,) for caption in self.candidates)


@dataclass(frozen=True, eq=False)
class Preferences(Judged):
    """Pairs of captions with their references, and which of the two people preferred.

    A vote is as what is preferred: 0 for the first, 1 for the second; or 0.5 for neither.
    """

    pairs: list[tuple[str, str]]
    references: list[list[str]]
    images: list[Hashable]
    preferred: IntArray  # 0 for the first caption of the pair, 1 for the second
    groups: list[str]  # such as HC, HI, HM, MM
    each = 2

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def captions(self) -> Iterable[tuple[str, ...]]:
        """What was judged in each row."""
        return self.pairs


Judgements = Ratings | Preferences


def judged_texts(judgements: Judgements) -> tuple[list[str], list[list[str]]]:
    """Judged captions and their references; of pairs, both captions one after the other."""
    if isinstance(judgements, Ratings):
        return judgements.candidates, judgements.references
    captions = [caption for pair in judgements.pairs for caption in pair]
    return captions, [references for references in judgements.references for _ in (0, 1)]


HUMAN = "human"  # the part of a benchmark that people wrote
SEEN = "/seen"  # ends the name of a part that a paper's networks were validated on


def is_part(group: str, part: str) -> bool:
    """Whether a group is a part or belongs to it, as `machine/neural` to `machine`."""
    return group == part or group.startswith(f"{part}/")


def check_judgements(judgements: Judgements) -> None:
    """Raise if captions, references, images, groups or votes do not fit together."""
    for name, column in judgements.columns.items():
        if len(column) != len(judgements):
            raise InputError(
                f"{len(column)} {name} for {len(judgements)} judgements; give one for each"
            )
    votes = judgements.votes
    if votes is not None and (np.ndim(votes) != 2 or len(votes) != len(judgements)):
        raise InputError(
            f"votes need one row for each of {len(judgements)} judgements and one column for each "
            f"rater, not {np.shape(votes)}"
        )
    if isinstance(judgements, Ratings):
        Corpus.of(judgements.candidates, judgements.references)
    else:
        for row, pair in enumerate(judgements.pairs):
            if not LIST.allows(pair) or len(pair) != 2:
                raise InputError(f"row {row}: a pair is two captions, not {short_repr(pair)}")
        for place in (0, 1):
            Corpus.of([pair[place] for pair in judgements.pairs], judgements.references)
    for row, (image, group) in enumerate(zip(judgements.images, judgements.groups, strict=True)):
        if not isinstance(image, Hashable) or not isinstance(group, str):
            raise InputError(
                f"row {row}: an image is a name or a number and a group a text, "
                f"not {short_repr(image)} and {short_repr(group)}"
            )


def image_names(images: Iterable[Hashable]) -> list[str] | None:
    """Return the names by which image files are found; None if any image has no name."""
    images = list(images)
    if any(image is None or isinstance(image, Unnamed) for image in images):
        return None
    texts = ids_as_text(images)
    return [texts[image] for image in images]


def by_measure(ratings: Ratings, measures: Sequence[str]) -> dict[str, Ratings]:
    """Return ratings of whole systems (the groups) by measure, one row a system.

    Each column of the ratings is a measure. A system stands for an image, since systems are what
    is resampled.
    """
    systems = list(dict.fromkeys(ratings.groups))
    first = np.array([ratings.groups.index(system) for system in systems])
    return {
        measure: Ratings(systems, [[] for _ in systems], list(systems), column[:, None], systems)
        for measure, column in zip(measures, ratings.ratings[first].T, strict=False)
    }


DIGITS = 12  # of a mean, after the first digit of the largest rating
MAX_DECIMALS = 300


@dataclass(frozen=True, eq=False)
class Votes:
    """Ratings that scores are compared with: the caption, the value, and how often it was given."""

    captions: IntArray
    values: FloatArray
    weights: FloatArray

    @property
    def n(self) -> int:
        """The number of ratings compared."""
        return int(self.weights.sum())

    def one_per_caption(self) -> Votes:
        """One rating a caption, the mean of its votes, in order of captions."""
        captions, places = np.unique(self.captions, return_inverse=True)
        weights = np.bincount(places, self.weights)
        means = round_means(np.bincount(places, self.values * self.weights) / weights, self.values)
        return Votes(captions, means, np.ones(len(captions)))


def votes_of(judgements: Ratings, raters: str) -> Votes:
    """Return every rating by itself (flattened), or each caption's mean or mode.

    The mode is the rating given most often, and the lowest of those where several are. A caption
    that nobody rated has no vote.
    """
    ratings = np.asarray(judgements.ratings, dtype=np.float64)
    if ratings.ndim != 2 or len(ratings) != len(judgements):
        raise InputError(
            f"ratings need one row for each of {len(judgements)} captions and one column for each "
            f"rater, not {ratings.shape}"
        )
    given = np.isfinite(ratings)
    if not given.any():
        raise InputError("no ratings: there is nothing to compare scores with")
    rated = np.flatnonzero(given.any(axis=1))
    if raters == "mean":
        sums = np.where(given, ratings, 0).sum(axis=1)[rated]
        means = round_means(sums / given.sum(axis=1)[rated], ratings)
        return Votes(rated, means, np.ones(len(rated)))
    captions, raters_of = np.nonzero(given)
    opinions, weights = np.unique(
        np.stack([captions, ratings[captions, raters_of]], axis=1), axis=0, return_counts=True
    )
    captions, values = opinions[:, 0].astype(np.int64), opinions[:, 1]
    if raters == "mode":
        # Most votes first, then the lowest value; each caption's first row stays.
        order = np.lexsort((values, -weights, captions))
        first = order[np.flatnonzero(np.diff(captions[order], prepend=-1))]
        return Votes(captions[first], values[first], np.ones(len(first)))
    return Votes(captions, values, weights.astype(np.float64))


def round_means(means: FloatArray, ratings: FloatArray) -> FloatArray:
    """Round means of ratings to drop the rounding errors of sums, relative to the ratings' size.

    Equal means must be equal numbers, in whatever order the raters were added up.
    """
    largest = max_abs(ratings)
    decimals = DIGITS - math.floor(math.log10(largest)) if largest else 0
    # Powers of ten end there; scales beyond have no means of several raters that are of use.
    return np.round(means, decimals) if abs(decimals) <= MAX_DECIMALS else means


def number_images(images: Sequence[Hashable]) -> tuple[IntArray, int]:
    """Each caption's image as a number, which only names decide, and how many images there are."""
    names, numbers = np.unique([str(image) for image in images], return_inverse=True)
    return numbers, len(names)
