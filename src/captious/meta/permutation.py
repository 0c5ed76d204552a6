"""Permutation: two metrics exchanged at random, image by image, to test a difference."""

from __future__ import annotations

import math

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.meta.accuracy import PairGroups, credits
from captious.meta.agreement import check_scores
from captious.meta.judgements import Judgements, Preferences, Ratings
from captious.meta.protocol import ACCURACY, Protocol
from captious.meta.resampled_correlation import ResampledCorrelation
from captious.meta.significance import PairTest
from captious.meta.votes import number_images, votes_of
from captious.stats.bootstrap import (
    RESAMPLES,
    SEED,
    check_draws,
    count_as_extreme,
    p_value_from_count,
)
from captious.stats.correlation import midranks


def permutation(
    a: FloatArray,
    b: FloatArray,
    judgements: Judgements,
    protocol: Protocol | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> PairTest:
    """Test one pair of metrics by exchanging them at random, image by image.

    If the two agree with people alike, it does not matter which of them scored an image. Their
    scores are first made alike, for they have other scales: standardised for Pearson, ranks for
    the rest; then all captions of an image change sides or none. For preferences what is exchanged
    is whether each was right.
    """
    protocol = protocol or Protocol()
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    check_draws(resamples, seed)
    check_scores({"first": a, "second": b}, judgements, protocol)
    rng = np.random.default_rng(seed)
    if isinstance(judgements, Preferences):
        groups = PairGroups.of(judgements, protocol)
        gain = credits(b, judgements, protocol) - credits(a, judgements, protocol)
        sides = _sides(rng, resamples, groups.n_images)
        by_group = (1.0 - 2 * sides) @ groups.sums(gain * groups.weights)
        gained = groups.average(by_group, groups.sums(groups.weights).sum(axis=0))
        statistic = ACCURACY
    else:
        statistic = protocol.statistic
        gained = _gained(a, b, judgements, protocol, rng, resamples)
    observed = float(gained[0])
    if math.isnan(observed):
        return PairTest("permutation", statistic, observed, math.nan)
    count = count_as_extreme(gained[1:], observed, scale=1)  # of accuracies and correlations
    return PairTest("permutation", statistic, observed, p_value_from_count(count, len(gained) - 1))


def _gained(
    a: FloatArray,
    b: FloatArray,
    judgements: Ratings,
    protocol: Protocol,
    rng: np.random.Generator,
    resamples: int,
) -> FloatArray:
    """How much better the second side correlates: first as it is, then exchanged at random."""
    votes = votes_of(judgements, protocol.raters)
    images, n_images = number_images([judgements.images[row] for row in votes.captions])
    alike = _standardised if protocol.statistic == "pearson" else midranks
    both = np.concatenate([alike(side)[votes.captions] for side in (a, b)])
    sides = _sides(rng, resamples, n_images)
    # Either metric's version of an image is an image of its own, and one of the two is drawn.
    draws = np.vstack([np.hstack([1 - sides, sides]), np.hstack([sides, 1 - sides])])
    images = np.concatenate([images, images + n_images])
    values, weights = np.tile(votes.values, 2), np.tile(votes.weights, 2)
    resampled = ResampledCorrelation(values, weights, images, draws)
    statistic = protocol.statistic
    first, second = np.split(resampled.correlations(both, (statistic,))[statistic], 2)
    return second - first


def _sides(rng: np.random.Generator, resamples: int, n_images: int) -> IntArray:
    """1 where an image changes sides; in the first row none does."""
    sides = rng.integers(2, size=(resamples + 1, n_images), dtype=np.int8)
    sides[0] = 0
    return sides


def _standardised(x: FloatArray) -> FloatArray:
    deviation = float(x.std())
    standardised: FloatArray = (x - x.mean()) / (deviation if deviation > 0 else 1)
    return standardised
