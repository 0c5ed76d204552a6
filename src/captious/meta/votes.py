"""Votes: what several raters said, brought to one row a distinct opinion of a caption."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.meta.judgements import Ratings
from captious.stats.bootstrap import max_abs

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

    def one_each(self) -> Votes:
        """One rating a caption, the mean of its votes, in order of captions."""
        captions, places = np.unique(self.captions, return_inverse=True)
        weights = np.bincount(places, self.weights)
        means = round_means(np.bincount(places, self.values * self.weights) / weights, self.values)
        return Votes(captions, means, np.ones(len(captions)))


def votes_of(judgements: Ratings, raters: str) -> Votes:
    """Every rater's word by itself (flattened), or each caption's mean or mode.

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
    """Means of ratings without what adding up rounded, which is relative to the ratings' size.

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
