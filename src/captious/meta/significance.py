"""Significance: whether two metrics agree with people to a different degree, or by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.meta.accuracy import PairGroups, pair_credits
from captious.meta.agreement import Agreements, check_scores
from captious.meta.judgements import Judgements, Preferences, Ratings, number_images, votes_of
from captious.meta.protocol import ACCURACY, Protocol
from captious.stats.bootstrap import (
    RESAMPLES,
    ROUNDING_TOLERANCE,
    SEED,
    check_draws,
    count_as_extreme,
    p_value_from_count,
)
from captious.stats.compact_letters import correct_p_values, letter_display
from captious.stats.correlation import midranks, pearson
from captious.stats.distributions import normal_p_value, student_p_value
from captious.stats.intervals import Estimate
from captious.stats.resampled_correlation import ResampledCorrelation

ALPHA = 0.05


@dataclass(frozen=True)
class PairTest:
    """One pair of metrics: how much better b agrees with people than a, and how likely by chance.

    `value` is what the test computes, where it has a name of its own (Williams' t).
    """

    name: str
    statistic: str
    difference: float
    p: float
    value: float = math.nan


def williams(a: FloatArray, b: FloatArray, people: FloatArray) -> PairTest:
    """Williams' test of two Pearson correlations that share one side, the ratings.

    It takes rows as independent: give one rating a caption, and prefer the bootstrap where an
    image has several captions.
    """
    n = len(people)
    if n < 4:
        raise InputError(f"Williams' test needs at least 4 captions, not {n}")
    r_a, r_b, r_ab = pearson(a, people), pearson(b, people), pearson(a, b)
    determinant = 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab
    difference = r_b - r_a
    spread = 2 * determinant * (n - 1) / (n - 3) + ((r_a + r_b) / 2) ** 2 * (1 - r_ab) ** 3
    if math.isnan(spread):
        return PairTest("williams", "pearson", difference, math.nan)
    # Two metrics with the same scores, but for scale, have no spread and no difference.
    same = spread <= 1e-14
    t = 0.0 if same else difference * math.sqrt((n - 1) * (1 + r_ab) / spread)
    return PairTest("williams", "pearson", difference, student_p_value(t, n - 3), t)


@dataclass(frozen=True, eq=False)
class Differences:
    """All pairs of metrics, from best to worst: differences, p-values, and letters.

    Metrics that share a letter cannot be told apart. One whose agreement is undefined has no
    p-values and no letters, and comes last.
    """

    statistic: str
    metrics: tuple[str, ...]
    values: FloatArray
    differences: FloatArray  # row minus column
    p_values: FloatArray  # corrected as `correction` says
    letters: tuple[str, ...]
    correction: str
    alpha: float

    def to_dict(self) -> dict[str, Any]:
        """The matrix as JSON has it, null for what is undefined."""
        return {
            "statistic": self.statistic,
            "correction": self.correction,
            "alpha": self.alpha,
            "metrics": list(self.metrics),
            "letters": list(self.letters),
            "difference": nan_to_none(self.differences.tolist()),
            "p": nan_to_none(self.p_values.tolist()),
        }


def differences(
    agreements: Agreements,
    statistic: str | None = None,
    *,
    correction: str = "holm",
    alpha: float = ALPHA,
    counted: bool = False,
) -> Differences:
    """Test all pairs of metrics at once, from the resamples that they share.

    A difference is compared with its standard deviation over resampled images, by the normal
    distribution. With `counted`, resamples at least as far from the observed difference as that
    is from none are counted instead: free of any distribution, but never below 1 / (resamples + 1),
    which Holm's correction for many pairs seldom lets pass.
    """
    statistic = statistic or agreements.statistic
    known = agreements.rows[0].values
    if statistic not in known:
        raise InputError(f"no statistic {statistic!r} was computed; there are: {', '.join(known)}")
    rows = agreements.best_first(statistic)
    values = np.array([row.values[statistic] for row in rows])
    p = np.full((len(rows), len(rows)), np.nan)
    for better, worse in combinations(range(len(rows)), 2):
        difference = rows[better].estimate(statistic) - rows[worse].estimate(statistic)
        p[better, worse] = p[worse, better] = _p_value(difference, counted)
    p = correct_p_values(p, correction)
    with np.errstate(invalid="ignore"):
        apart = p < alpha
    defined = np.isfinite(values)
    shown = iter(letter_display(apart[np.ix_(defined, defined)]))
    return Differences(
        statistic,
        tuple(row.metric for row in rows),
        values,
        values[:, None] - values,
        p,
        tuple(next(shown) if known else "" for known in defined),
        correction,
        alpha,
    )


def _p_value(difference: Estimate, counted: bool) -> float:
    """Two-sided, from a difference over resamples; NaN without resamples."""
    drawn, observed = difference.finite_draws, difference.observed
    if math.isnan(observed) or len(drawn) < 2:
        return math.nan
    if counted:
        return difference.p_value()
    deviation = float(drawn.std(ddof=1))
    rounding = ROUNDING_TOLERANCE * difference.rounding_scale()
    if deviation <= rounding:
        return 1.0 if abs(observed) <= rounding else 0.0
    return normal_p_value(observed / deviation)


def permutation_test(
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
    scores are first made alike, for they have other scales: standardized for Pearson, ranks for
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
        gain = pair_credits(b, judgements, protocol) - pair_credits(a, judgements, protocol)
        sides = _draw_sides(rng, resamples, groups.n_images)
        by_group = (1.0 - 2 * sides) @ groups.sums(gain * groups.weights)
        gained = groups.average(by_group, groups.sums(groups.weights).sum(axis=0))
        statistic = ACCURACY
    else:
        statistic = protocol.statistic
        gained = _correlation_gains(a, b, judgements, protocol, rng, resamples)
    observed = float(gained[0])
    if math.isnan(observed):
        return PairTest("permutation", statistic, observed, math.nan)
    count = count_as_extreme(gained[1:], observed, scale=1)  # of accuracies and correlations
    return PairTest("permutation", statistic, observed, p_value_from_count(count, len(gained) - 1))


def _correlation_gains(
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
    alike = _standardise if protocol.statistic == "pearson" else midranks
    both = np.concatenate([alike(side)[votes.captions] for side in (a, b)])
    sides = _draw_sides(rng, resamples, n_images)
    # Either metric's version of an image is an image of its own, and one of the two is drawn.
    draws = np.vstack([np.hstack([1 - sides, sides]), np.hstack([sides, 1 - sides])])
    images = np.concatenate([images, images + n_images])
    values, weights = np.tile(votes.values, 2), np.tile(votes.weights, 2)
    resampled = ResampledCorrelation(values, weights, images, draws)
    statistic = protocol.statistic
    first, second = np.split(resampled.correlations(both, (statistic,))[statistic], 2)
    return second - first


def _draw_sides(rng: np.random.Generator, resamples: int, n_images: int) -> IntArray:
    """1 where an image changes sides; in the first row none does."""
    sides = rng.integers(2, size=(resamples + 1, n_images), dtype=np.int8)
    sides[0] = 0
    return sides


def _standardise(x: FloatArray) -> FloatArray:
    deviation = float(x.std())
    standardized: FloatArray = (x - x.mean()) / (deviation if deviation > 0 else 1)
    return standardized
