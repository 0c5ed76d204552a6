"""Significance: whether two metrics agree with people to a different degree, or by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.meta.agreement import Agreements
from captious.stats.bootstrap import ROUNDING_TOLERANCE
from captious.stats.compact_letters import correct_p_values, letter_display
from captious.stats.correlation import pearson
from captious.stats.distributions import normal_p_value, student_p_value
from captious.stats.intervals import Estimate

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
