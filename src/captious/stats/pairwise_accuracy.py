"""Pairwise accuracy with calibrated ties: how often a metric orders two captions as people do.

A pair that people rate alike is right if the metric ties it, any other if the metric orders it as
people do. Most metrics hardly ever give two captions one score, so scores no farther apart than
epsilon count as tied, and epsilon is the smallest that makes the accuracy largest (acc_eq with tie
calibration; Deutsch, Foster and Freitag 2023). Pairs are all that can be made, or those of one
image, where the accuracy is the mean over images.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.stats.bootstrap import ROUNDING_TOLERANCE
from captious.stats.resampled_correlation import sum_over_draws

MAX_CAPTIONS = 50_000  # all of whose pairs are compared
MAX_CALIBRATION_PAIRS = 1 << 24  # to choose epsilon by; of more pairs, a random sample
MAX_PAIRS_WITHIN_IMAGES = 1 << 26  # over all images
MAX_IMAGES_IN_MATRIX = 4000  # bounds memory
PAIRS_PER_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class CalibratedAccuracy:
    """Accuracy at the best epsilon, and at that epsilon over resampled images."""

    value: float
    epsilon: float
    over: Callable[[IntArray], FloatArray] = field(repr=False)  # draws of images


def accuracy_over_all_pairs(
    x: FloatArray, y: FloatArray, images: IntArray, n_images: int
) -> CalibratedAccuracy:
    """Accuracy of scores `x` against ratings `y` over all pairs of captions."""
    n = len(x)
    if n > MAX_CAPTIONS:
        raise InputError(
            f"acc_eq compares all pairs of captions, of {MAX_CAPTIONS:,} at most, not of {n:,}; "
            "take acc_eq_image, which compares captions of one image"
        )
    if n < 2:
        return CalibratedAccuracy(math.nan, math.nan, _all_undefined)
    epsilon = best_epsilon(*_all_pairs(x, y))
    right = _CorrectPairs.of(x, y, images, n_images, epsilon)
    return CalibratedAccuracy(float(right.over(np.ones((1, n_images)))[0]), epsilon, right.over)


def accuracy_within_images(
    x: FloatArray, y: FloatArray, images: IntArray, n_images: int
) -> CalibratedAccuracy:
    """Mean accuracy over images, each over the pairs of its captions."""
    order = np.lexsort((y, x, images))
    x, y, images = x[order], y[order], images[order]
    sizes = np.bincount(images, minlength=n_images)
    pairs = sizes * (sizes - 1) // 2
    if not pairs.any():
        return CalibratedAccuracy(math.nan, math.nan, _all_undefined)
    if pairs.sum() > MAX_PAIRS_WITHIN_IMAGES:
        raise InputError(
            f"{int(pairs.sum()):,} pairs of captions of one image; at most "
            f"{MAX_PAIRS_WITHIN_IMAGES:,} can be "
            "compared"
        )
    inside = [np.flatnonzero(images[apart:] == images[:-apart]) for apart in range(1, sizes.max())]
    first = np.concatenate(inside)
    second = first + np.repeat(np.arange(1, len(inside) + 1), list(map(len, inside)))
    above, better, image = x[second] - x[first], y[second] - y[first], images[first]
    epsilon = best_epsilon(above, better, 1 / pairs[image])
    right = np.bincount(image, is_correct(above, better, epsilon), n_images)
    accuracy = right / np.maximum(pairs, 1)
    has_pair = (pairs > 0).astype(np.float64)

    def over(draws: IntArray) -> FloatArray:
        drawn = draws.astype(np.float64)
        known = drawn @ has_pair
        shares: FloatArray = np.where(known > 0, drawn @ accuracy / np.maximum(known, 1), np.nan)
        return shares

    value = math.fsum(accuracy.tolist()) / float(has_pair.sum())
    return CalibratedAccuracy(value, epsilon, over)


def is_correct(above: FloatArray, better: FloatArray, epsilon: float) -> IntArray:
    """Whether pairs are correct, given the differences of scores and of ratings."""
    ordered = np.sign(above) == np.sign(better)
    right: IntArray = np.where(np.abs(above) <= epsilon, better == 0, ordered)
    return right


def best_epsilon(
    above: FloatArray, better: FloatArray | IntArray, weights: FloatArray | None = None
) -> float:
    """Return the smallest epsilon with the largest accuracy.

    As epsilon grows, pairs that people tie become right and pairs in right order become wrong, in
    order of how far apart their scores are. So accuracy rises only where a pair that people tie
    is reached, and those are all that has to be looked at.
    """
    apart = np.abs(above)
    tied, ordered = better == 0, ((above > 0) & (better > 0)) | ((above < 0) & (better < 0))
    candidates = np.unique(np.append(apart[tied], 0.0))
    won = _weight_up_to(candidates, apart, tied, weights)
    lost = _weight_up_to(candidates, apart, ordered, weights)
    gained = won - lost
    # Counts are exact; sums of weights are rounded, relative to what was added up.
    rounding = 0.0 if weights is None else ROUNDING_TOLERANCE * float(won[-1] + lost[-1])
    return float(candidates[int(np.argmax(gained >= gained.max() - rounding))])


def _weight_up_to(
    ends: FloatArray, apart: FloatArray, chosen: IntArray, weights: FloatArray | None
) -> FloatArray:
    """Return the weight of the chosen pairs no farther apart than each of the ends."""
    if weights is None:
        return np.searchsorted(np.sort(apart[chosen]), ends, "right").astype(np.float64)
    order = np.argsort(apart[chosen], kind="stable")
    sums = np.append(0.0, np.cumsum(weights[chosen][order]))
    up_to: FloatArray = sums[np.searchsorted(apart[chosen][order], ends, "right")]
    return up_to


def _all_pairs(x: FloatArray, y: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the score difference and the sign of the rating difference of each pair.

    Of all pairs, or of a random sample if there are many.
    """
    n = len(x)
    n_pairs = n * (n - 1) // 2
    if n_pairs <= MAX_CALIBRATION_PAIRS:
        above, better = np.empty(n_pairs), np.empty(n_pairs, dtype=np.int8)
        start = 0
        for row in range(n - 1):
            end = start + n - 1 - row
            above[start:end] = x[row + 1 :] - x[row]
            better[start:end] = np.sign(y[row + 1 :] - y[row])
            start = end
        return above, better
    # The sample must not depend on the order of captions.
    order = np.lexsort((y, x)).astype(np.int32)
    rng = np.random.default_rng(0)
    first = rng.integers(n, size=MAX_CALIBRATION_PAIRS, dtype=np.int32)
    second = rng.integers(n - 1, size=MAX_CALIBRATION_PAIRS, dtype=np.int32)
    second += second >= first
    first, second = order[first], order[second]
    return x[second] - x[first], np.sign(y[second] - y[first]).astype(np.int8)


@dataclass(frozen=True, eq=False)
class _CorrectPairs:
    """Correct pairs summed by their two images, each pair in both orders."""

    matrix: FloatArray | None  # None for too many images
    sums: FloatArray  # of each image with all
    captions: FloatArray  # of each image

    @classmethod
    def of(
        cls, x: FloatArray, y: FloatArray, images: IntArray, n_images: int, epsilon: float
    ) -> _CorrectPairs:
        order = np.argsort(images, kind="stable")
        x, y, images = x[order], y[order], images[order]
        captions = np.bincount(images, minlength=n_images).astype(np.float64)
        new = np.flatnonzero(np.diff(images, prepend=-1))
        there = images[new]
        matrix = np.zeros((n_images, n_images)) if n_images <= MAX_IMAGES_IN_MATRIX else None
        sums = np.zeros(n_images)
        step = max(1, PAIRS_PER_BLOCK // len(x))
        for start in range(0, len(x), step):
            rows = slice(start, start + step)
            right = is_correct(x - x[rows, None], y - y[rows, None], epsilon)
            by_image = np.add.reduceat(right, new, axis=1, dtype=np.float64)
            np.add.at(sums, images[rows], by_image.sum(axis=1))
            if matrix is not None:
                full = np.zeros((len(by_image), n_images))
                full[:, there] = by_image
                np.add.at(matrix, images[rows], full)
        # A caption beside itself is no pair.
        if matrix is not None:
            matrix[np.diag_indices(n_images)] -= captions
        return cls(matrix, sums - captions, captions)

    def over(self, draws: IntArray) -> FloatArray:
        """Return the accuracy for each row of image counts.

        A caption of an image that is drawn twice makes no pair with its own copy. With too many
        images for a matrix, what a draw changes is taken to the first order.
        """
        drawn = draws.astype(np.float64)
        pairs = (drawn @ self.captions) ** 2 - drawn**2 @ self.captions
        if self.matrix is not None:
            right = sum_over_draws(self.matrix, draws)
        else:
            right = 2 * (drawn @ self.sums) - self.sums.sum()
        return np.where(pairs > 0, right / np.maximum(pairs, 1), np.nan)


def _all_undefined(draws: IntArray) -> FloatArray:
    return np.full(len(draws), np.nan)
