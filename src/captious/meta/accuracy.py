"""Accuracy: how often a metric prefers the caption of a pair that people prefer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.meta.judgements import Preferences
from captious.meta.protocol import Protocol
from captious.meta.votes import number_images

MEAN = "mean"  # over the groups' accuracies, each group counting alike
TIE_DRAWS = 100  # coins thrown for each tied pair


def credits(scores: FloatArray, judgements: Preferences, protocol: Protocol) -> FloatArray:
    """What a metric earns for each pair: 1 if right, 0 if wrong, and what `ties` says if tied.

    At random, a pair's coins are the same for all metrics, and its credit is their mean.
    """
    preferred = np.asarray(judgements.preferred)
    rows = np.arange(len(preferred))
    margin = scores[rows, preferred] - scores[rows, 1 - preferred]
    if protocol.ties == "half":
        tied = np.full(len(margin), 0.5)
    elif protocol.ties == "first":
        tied = (preferred == 0).astype(np.float64)
    else:
        coins = np.random.default_rng(protocol.seed).binomial(TIE_DRAWS, 0.5, len(margin))
        tied = coins / TIE_DRAWS
    return np.where(margin > 0, 1.0, np.where(margin < 0, 0.0, tied))


@dataclass(frozen=True, eq=False)
class PairGroups:
    """Where the pairs of each group and image are, to sum what a metric earns."""

    names: list[str]  # of the groups, in order of first occurrence
    places: IntArray  # each pair's image and group as one number
    n_images: int

    @classmethod
    def of(cls, judgements: Preferences) -> PairGroups:
        """The groups of some pairs."""
        if not len(judgements):
            raise InputError("no pairs: there is nothing to compare scores with")
        preferred = np.asarray(judgements.preferred)
        if not np.isin(preferred, (0, 1)).all():
            row = int(np.flatnonzero(~np.isin(preferred, (0, 1)))[0])
            raise InputError(f"pair {row}: preferred is {preferred[row]}, but must be 0 or 1")
        names = list(dict.fromkeys(judgements.groups))
        if MEAN in names:
            raise InputError(f"a group cannot be named {MEAN!r}: it is the mean over groups")
        numbers = {name: number for number, name in enumerate(names)}
        groups = np.array([numbers[name] for name in judgements.groups])
        images, n_images = number_images(judgements.images)
        return cls(names, images * len(names) + groups, n_images)

    def sums(self, values: FloatArray | None = None) -> FloatArray:
        """Values of pairs summed, or pairs counted: one row an image, one column a group."""
        size = self.n_images * len(self.names)
        sums: FloatArray = np.bincount(self.places, values, size).astype(np.float64)
        return sums.reshape(self.n_images, -1)

    def accuracies(self, earned: FloatArray, draws: IntArray) -> dict[str, FloatArray]:
        """Accuracy by group and their mean, for each row of how often images are drawn.

        A resample without any pair of a group has no accuracy there, and no mean: NaN.
        """
        drawn = draws.astype(np.float64)
        right, pairs = drawn @ self.sums(earned), drawn @ self.sums()
        shares = np.where(pairs > 0, right / np.maximum(pairs, 1), np.nan)
        return {**dict(zip(self.names, shares.T, strict=True)), MEAN: shares.mean(axis=1)}
