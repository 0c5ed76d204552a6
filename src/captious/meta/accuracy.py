"""Accuracy: how often a metric prefers the caption of a pair that people prefer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.meta.judgements import Preferences, number_images
from captious.meta.protocol import ALIKE, PAIRS, Protocol

MEAN = "mean"  # over the groups' accuracies, each group counting alike
TOTAL = "total"  # the accuracy of all pairs at once
COINS_PER_TIE = 100  # coins thrown for each tied pair
# The credit for a tie if people prefer the first caption, and if they prefer the second.
_TIE_CREDITS = {"half": (0.5, 0.5), "first": (1.0, 0.0), "second": (0.0, 1.0), "wrong": (0.0, 0.0)}


def pair_credits(scores: FloatArray, judgements: Preferences, protocol: Protocol) -> FloatArray:
    """Return the credit for each pair: 1 if right, 0 if wrong, and as `ties` says if tied.

    At random, a pair's coins are the same for all metrics, and its credit is their mean.
    """
    preferred = np.asarray(judgements.preferred)
    rows = np.arange(len(preferred))
    margin = scores[rows, preferred] - scores[rows, 1 - preferred]
    if protocol.ties in _TIE_CREDITS:
        tied = np.array(_TIE_CREDITS[protocol.ties])[preferred]
    else:
        coins = np.random.default_rng(protocol.seed).binomial(COINS_PER_TIE, 0.5, len(margin))
        tied = coins / COINS_PER_TIE
    return np.where(margin > 0, 1.0, np.where(margin < 0, 0.0, tied))


def pair_weights(judgements: Preferences, protocol: Protocol) -> FloatArray:
    """Return the weight of each pair: 1, or by how many votes its better caption leads."""
    if protocol.weights == ALIKE:
        return np.ones(len(judgements))
    if judgements.votes is None:
        raise InputError(
            "pairs cannot be weighted by votes: these judgements have none; give a list of votes "
            "for each pair in 'preferred', or weigh pairs alike"
        )
    votes = np.asarray(judgements.votes)
    weights: FloatArray = np.abs((votes == 0).sum(axis=1) - (votes == 1).sum(axis=1)) * 1.0
    if not weights.any():
        raise InputError("pairs cannot be weighted by votes: each has as many on either side")
    return weights


@dataclass(frozen=True, eq=False)
class PairGroups:
    """The image and group of each pair, by which credits are summed."""

    names: list[str]  # of the groups, in order of first occurrence
    places: IntArray  # each pair's image and group as one number
    n_images: int
    weights: FloatArray  # how much each pair counts
    headline: str  # over all groups: MEAN of their accuracies, or TOTAL of all pairs

    @classmethod
    def of(cls, judgements: Preferences, protocol: Protocol) -> PairGroups:
        """The groups of some pairs."""
        if not len(judgements):
            raise InputError("no pairs: there is nothing to compare scores with")
        preferred = np.asarray(judgements.preferred)
        if not np.isin(preferred, (0, 1)).all():
            row = int(np.flatnonzero(~np.isin(preferred, (0, 1)))[0])
            raise InputError(f"pair {row}: preferred is {preferred[row]}, but must be 0 or 1")
        names = list(dict.fromkeys(judgements.groups))
        headline = TOTAL if protocol.average == PAIRS else MEAN
        if headline in names:
            raise InputError(f"a group cannot be named {headline!r}: it is the {headline} of all")
        numbers = {name: number for number, name in enumerate(names)}
        groups = np.array([numbers[name] for name in judgements.groups])
        images, n_images = number_images(judgements.images)
        places = images * len(names) + groups
        return cls(names, places, n_images, pair_weights(judgements, protocol), headline)

    def sums(self, values: FloatArray) -> FloatArray:
        """Values of pairs summed: one row an image, one column a group."""
        size = self.n_images * len(self.names)
        sums: FloatArray = np.bincount(self.places, values, size).astype(np.float64)
        return sums.reshape(self.n_images, -1)

    def average(self, earned: FloatArray, given: FloatArray) -> FloatArray:
        """Return the headline accuracy from sums of groups along the last axis."""
        if self.headline == TOTAL:
            earned, given = earned.sum(axis=-1), given.sum(axis=-1)
            return _shares(earned, given)
        mean: FloatArray = _shares(earned, given).mean(axis=-1)
        return mean

    def accuracies(
        self, earned: FloatArray, draws: IntArray, given: FloatArray | None = None
    ) -> dict[str, FloatArray]:
        """Accuracy by group and of all, for each row of how often images are drawn.

        A pair that earns 1 of what is `given`, 1 unless told, is right. A resample without any
        pair of a group has no accuracy there, and no mean: NaN.
        """
        drawn = draws.astype(np.float64)
        given = np.ones(len(self.weights)) if given is None else given
        right = drawn @ self.sums(earned * self.weights)
        pairs = drawn @ self.sums(given * self.weights)
        by_group = dict(zip(self.names, _shares(right, pairs).T, strict=True))
        return {**by_group, self.headline: self.average(right, pairs)}


def _shares(earned: FloatArray, given: FloatArray) -> FloatArray:
    known = given > 0
    return np.where(known, earned / np.where(known, given, 1), np.nan)
