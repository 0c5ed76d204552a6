"""P-values and quantiles of Student's t and the normal distribution."""

from __future__ import annotations

import math
from functools import lru_cache

TINY = 1e-300  # replaces 0 as a divisor
TOLERANCE = 1e-15  # of the continued fraction
MAX_NORMAL_Z = 40.0  # the tails beyond are 0 in float64


def normal_p_value(z: float) -> float:
    """The two-sided p-value of a standard normal value."""
    return math.erfc(abs(z) / math.sqrt(2))


def student_p_value(t: float, degrees_of_freedom: float) -> float:
    """The two-sided p-value of Student's t."""
    freedom = degrees_of_freedom
    # The tail is an incomplete beta function: I_x(freedom / 2, 1 / 2).
    a, b = freedom / 2, 0.5
    x, rest = freedom / (freedom + t * t), t * t / (freedom + t * t)
    if rest == 0:
        return 1.0
    # The fraction converges quickly on this side only; the other is its mirror image.
    if x < (a + 1) / (a + b + 2):
        return _beta(a, b, x, rest)
    return 1 - _beta(b, a, rest, x)


@lru_cache(maxsize=1_000)  # every interval of a table asks for the same one
def student_quantile(level: float, degrees_of_freedom: float) -> float:
    """Return the two-sided quantile: |t| is below it with probability `level`."""
    low, high = 0.0, MAX_NORMAL_Z
    while student_p_value(high, degrees_of_freedom) > 1 - level:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if student_p_value(middle, degrees_of_freedom) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def pearson_p_value(r: float, n: int) -> float:
    """The two-sided p-value of Pearson's r over n points."""
    if abs(r) >= 1:
        return 0.0
    return student_p_value(r * math.sqrt((n - 2) / (1 - r * r)), n - 2)


def _beta(a: float, b: float, x: float, rest: float) -> float:
    """The incomplete beta function by its continued fraction; `rest` is 1 - x, unrounded."""
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(x)
        + b * math.log(rest)
        - math.log(a)
    )
    # The fraction 1 / (1 + d_1 / (1 + d_2 / ...)), as the ratio of successive convergents.
    value, upper, lower = TINY, TINY, 0.0
    for step in range(10_000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + term * lower or TINY)
        upper = 1 + term / upper or TINY
        value *= upper * lower
        if abs(upper * lower - 1) < TOLERANCE:
            break
    return min(1.0, front * value)
