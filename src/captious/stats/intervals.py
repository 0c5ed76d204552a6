"""Confidence intervals from resampled images: percentile, BCa and Student's t."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_choice
from captious.errors import InputError
from captious.stats.bootstrap import (
    RESAMPLES,
    SEED,
    bootstrap,
    count_as_extreme,
    exact_sum,
    max_abs,
    p_value_from_count,
)
from captious.stats.distributions import student_quantile

Interval = tuple[float, float]

LEVEL = 0.95  # of confidence
PERCENTILE = "percentile"  # the method unless another is named
STUDENT = "t"  # the method of differences between two systems unless another is named
ROUNDING_TOLERANCE = 1e-9  # of the draws' spread: what lies closer together differs by rounding


@dataclass(frozen=True, eq=False)
class Estimate:
    """A statistic as observed, over resampled images, and without each image in turn.

    Draws in which the statistic is undefined are NaN. `left_out` is called only by methods that
    need it, and `images` is the number of images drawn from; methods raise without what they need.
    `scale` is the size of the operands of a difference, to which its rounding is relative.
    """

    name: str
    observed: float
    draws: FloatArray = field(repr=False)
    left_out: Callable[[], FloatArray] | None = field(default=None, repr=False)
    images: int | None = None
    scale: float | None = None

    @property
    def finite_draws(self) -> FloatArray:
        """The draws in which the statistic is defined."""
        known: FloatArray = self.draws[np.isfinite(self.draws)]
        return known

    def jackknife(self) -> FloatArray:
        """Return the statistic without each image in turn."""
        if self.left_out is None:
            raise self._missing("leave-one-image-out values")
        return self.left_out()

    def count_images(self) -> int:
        """The number of images drawn from."""
        if self.images is None:
            raise self._missing("known number of images")
        return self.images

    def _missing(self, what: str) -> InputError:
        return InputError(
            f"{self.name} has no {what}, which this interval needs; choose method {PERCENTILE!r}"
        )

    def rounding_scale(self) -> float:
        """The size of the numbers that its rounding is relative to."""
        if self.scale is not None:
            return self.scale
        return max_abs(self.observed, self.draws)

    def interval(self, level: float = LEVEL, method: str = PERCENTILE) -> Interval:
        """Return the ends of the interval; NaN where the statistic is undefined."""
        check_method(method)
        return METHODS[method](self, float(level))  # a fraction is a level, too

    def p_value(self) -> float:
        """Share of resamples at least as far from the observed value as that is from 0."""
        known = self.finite_draws
        if math.isnan(self.observed) or not len(known):
            return math.nan
        # Bootstrap draws are centred on the observed value: shifted to 0 they show chance alone.
        count = count_as_extreme(known - self.observed, self.observed, self.rounding_scale())
        return p_value_from_count(count, len(known))

    def __sub__(self, other: Estimate) -> Estimate:
        """Difference from another statistic of the same images in the same draws."""
        return Estimate(
            f"{self.name} - {other.name}",
            self.observed - other.observed,
            self.draws - other.draws,
            partial(_difference_left_out, self, other),
            self.images,
            max(self.rounding_scale(), other.rounding_scale()),
        )


def _difference_left_out(more: Estimate, less: Estimate) -> FloatArray:
    return more.jackknife() - less.jackknife()


@dataclass(frozen=True, eq=False)
class ResampledSums:
    """Statistics that follow from sums over images: of all, of resamples, without each in turn."""

    rows: FloatArray  # one an image
    statistics_of: Callable[[FloatArray], Mapping[str, FloatArray]]  # sums along the last axis
    resamples: int = RESAMPLES
    seed: int = SEED

    @cached_property
    def observed(self) -> Mapping[str, FloatArray]:
        """Of all images."""
        return self.statistics_of(exact_sum(self.rows))

    @cached_property
    def draws(self) -> Mapping[str, FloatArray]:
        """Of each resample."""
        return self.statistics_of(bootstrap(self.rows, self.resamples, self.seed))

    @cached_property
    def left_out(self) -> Mapping[str, FloatArray]:
        """Without each image in turn; a lone image stays, for there is nothing without it."""
        alone = len(self.rows) == 1
        return self.statistics_of(self.rows if alone else self.rows.sum(axis=0) - self.rows)

    def __getitem__(self, name: str) -> Estimate:
        left_out = partial(self._without_each_image, name)
        images = len(self.rows)
        return Estimate(name, float(self.observed[name]), self.draws[name], left_out, images)

    def _without_each_image(self, name: str) -> FloatArray:
        return self.left_out[name]

    def intervals(self, method: str = PERCENTILE) -> dict[str, Interval]:
        """Return the intervals of all statistics; raise if one is undefined."""
        intervals = {name: self[name].interval(method=method) for name in self.observed}
        if any(math.isnan(low) for low, _ in intervals.values()):
            raise InputError("too few images for intervals; take more images or more resamples")
        return intervals


def percentile(estimate: Estimate, level: float) -> Interval:
    """Percentile interval: the central part of the draws."""
    tail = (1 - level) / 2
    return _quantiles(estimate.finite_draws, tail, 1 - tail)


def bca(estimate: Estimate, level: float) -> Interval:
    """Bias-corrected and accelerated (BCa) interval.

    Percentiles shifted by the bias of the draws, and by how fast their spread grows with the
    statistic (Efron and Tibshirani 1993, chapter 14). Where
    all draws lie on one side of the observed value, or that is unknown, the bias is beyond measure,
    and the interval is the percentiles'. Without spread among the statistics without each image,
    there is no acceleration.
    """
    draws = estimate.finite_draws
    if not len(draws):
        return math.nan, math.nan
    acceleration = _acceleration(estimate.jackknife())
    nearly = ROUNDING_TOLERANCE * float(np.ptp(draws))
    # Draws equal to the observed value lie on both sides.
    below, up_to = draws < estimate.observed - nearly, draws <= estimate.observed + nearly
    share = float(below.mean() + up_to.mean()) / 2
    if not 0 < share < 1:
        return percentile(estimate, level)
    from statistics import NormalDist  # imports fractions and decimals, too

    normal = NormalDist()
    bias = normal.inv_cdf(share)

    def shifted_level(z: float) -> float:
        shifted = bias + z
        stretch = 1 - acceleration * shifted
        # The formula has a pole, beyond which every draw lies on one side.
        farther = shifted / stretch if stretch > 0 else math.copysign(math.inf, shifted)
        return normal.cdf(bias + farther)

    z = normal.inv_cdf((1 - level) / 2)
    return _quantiles(draws, shifted_level(z), shifted_level(-z))


def student(estimate: Estimate, level: float) -> Interval:
    """The observed value plus and minus Student's t times the bootstrap's standard error.

    Percentiles of n images are too narrow: resamples vary by (n - 1) / n of what samples do, and
    a standard error from few images is itself uncertain. This interval mends both, and is
    symmetric, as differences between two systems about are. Of one image, whose spread is unknown,
    it is the observed value alone, as the percentiles' is.
    """
    draws, images = estimate.finite_draws, estimate.count_images()
    if math.isnan(estimate.observed) or not len(draws):
        return math.nan, math.nan
    if images < 2 or len(draws) < 2:
        return estimate.observed, estimate.observed
    error = float(draws.std(ddof=1)) * math.sqrt(images / (images - 1))
    reach = student_quantile(level, images - 1) * error
    return estimate.observed - reach, estimate.observed + reach


METHODS: dict[str, Callable[[Estimate, float], Interval]] = {
    PERCENTILE: percentile,
    "bca": bca,
    STUDENT: student,
}


def check_method(method: str) -> None:
    """Raise unless there is such a method of intervals."""
    check_choice("unknown method of intervals", method, METHODS)


def _quantiles(known: FloatArray, low: float, high: float) -> Interval:
    """Return two quantiles; NaN for no values."""
    if not len(known):
        return math.nan, math.nan
    ordered = np.sort(known)
    return _quantile(ordered, low), _quantile(ordered, high)


def _quantile(ordered: FloatArray, share: float) -> float:
    """Return a quantile as `np.quantile` does, which imports masked arrays."""
    place = (len(ordered) - 1) * share
    below = min(math.floor(place), len(ordered) - 1)
    above = min(below + 1, len(ordered) - 1)
    weight, start, end = place - below, float(ordered[below]), float(ordered[above])
    # From the nearer end, so that rounding errors are those of the smaller part.
    step = end - start
    return start + step * weight if weight < 0.5 else end - step * (1 - weight)


def _acceleration(left_out: FloatArray) -> float:
    """A sixth of the skewness of what each image adds; images without which it is NaN add none."""
    known = left_out[np.isfinite(left_out)]
    added = known.mean() - known if len(known) else known
    largest = float(np.abs(added).max(initial=0))
    if largest == 0:
        return 0.0
    added = added / largest  # so that squares neither vanish nor overflow
    squares = added * added
    return float((squares * added).sum() / (6 * squares.sum() ** 1.5))
