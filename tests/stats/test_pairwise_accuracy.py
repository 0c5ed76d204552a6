"""Pairwise accuracy beside every threshold tried in turn, and every pair looked at."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from captious.errors import InputError
from captious.stats import pairwise_accuracy
from captious.stats.pairwise_accuracy import (
    CalibratedAccuracy,
    accuracy_over_all_pairs,
    accuracy_within_images,
)


def best_accuracy_by_exhaustion(
    x: list[float], y: list[float], groups: list[list[int]]
) -> tuple[float, float]:
    """The best accuracy, as a mean over groups, and its smallest epsilon, by trying all."""

    def accuracy(epsilon: float) -> float:
        shares = []
        for rows in groups:
            right = 0
            pairs = list(combinations(rows, 2))
            for a, b in pairs:
                if abs(x[a] - x[b]) <= epsilon:
                    right += y[a] == y[b]
                else:
                    right += (x[a] > x[b] and y[a] > y[b]) or (x[a] < x[b] and y[a] < y[b])
            if pairs:
                shares.append(right / len(pairs))
        return sum(shares) / len(shares)

    thresholds = {0.0}
    for rows in groups:
        thresholds |= {abs(x[a] - x[b]) for a, b in combinations(rows, 2)}
    best = max(accuracy(epsilon) for epsilon in thresholds)
    return best, min(each for each in thresholds if accuracy(each) > best - 1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_best_epsilon_equals_trying_all_thresholds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_images = int(rng.integers(2, 40)), int(rng.integers(1, 8))
    coarse = rng.random() < 0.5
    x = rng.integers(0, 6, n) / 4 if coarse else rng.normal(size=n)
    y = rng.integers(0, 4, n).astype(float)
    images = rng.integers(0, n_images, n)
    whole = accuracy_over_all_pairs(x, y, images, n_images)
    assert (whole.value, whole.epsilon) == pytest.approx(
        best_accuracy_by_exhaustion(x.tolist(), y.tolist(), [list(range(n))])
    )
    groups = [np.flatnonzero(images == image).tolist() for image in range(n_images)]
    by_image = accuracy_within_images(x, y, images, n_images)
    if any(len(rows) > 1 for rows in groups):
        expected = best_accuracy_by_exhaustion(x.tolist(), y.tolist(), groups)
        assert (by_image.value, by_image.epsilon) == pytest.approx(expected)
    else:
        assert math.isnan(by_image.value)


def test_the_papers_own_cases() -> None:
    """A metric that never ties is right about people's ties only once it is calibrated."""
    x, y = np.array([0.1, 0.2, 0.9, 1.0]), np.array([1.0, 1.0, 2.0, 2.0])
    whole = accuracy_over_all_pairs(x, y, np.arange(4), 4)
    assert whole.value == 1.0
    assert whole.epsilon == pytest.approx(0.1)
    backwards = accuracy_over_all_pairs(-x, y, np.arange(4), 4)
    assert backwards.value == pytest.approx(2 / 6)  # ties alone


def test_constant_scores_tie_everything() -> None:
    y = np.array([1.0, 1.0, 2.0])
    whole = accuracy_over_all_pairs(np.zeros(3), y, np.arange(3), 3)
    assert (whole.value, whole.epsilon) == pytest.approx((1 / 3, 0.0))


@pytest.mark.parametrize("calibrated", [accuracy_over_all_pairs, accuracy_within_images])
def test_draws_equal_repeated_rows(calibrated: object) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=24), rng.integers(0, 3, 24).astype(float)
    images = np.repeat(np.arange(6), 4)
    assert callable(calibrated)
    whole: CalibratedAccuracy = calibrated(x, y, images, 6)
    draws = rng.multinomial(6, np.full(6, 1 / 6), size=20)
    for drawn, value in zip(draws, whole.over(draws), strict=True):
        right, pairs = np.zeros(6), np.zeros(6)
        for a, b in combinations(range(24), 2):
            if calibrated is accuracy_within_images and images[a] != images[b]:
                continue
            tied = abs(x[a] - x[b]) <= whole.epsilon
            ordered = (x[a] - x[b]) * (y[a] - y[b]) > 0
            weight = drawn[images[a]] * drawn[images[b]]
            if calibrated is accuracy_within_images:
                weight = drawn[images[a]] / 6  # pairs of an image's four captions
            right[0] += weight * ((y[a] == y[b]) if tied else ordered)
            pairs[0] += weight
        assert value == pytest.approx(right[0] / pairs[0])


def test_the_order_of_captions_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairwise_accuracy, "MAX_CALIBRATION_PAIRS", 500)  # so that pairs are drawn
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=80), rng.integers(0, 3, 80).astype(float)
    images = np.repeat(np.arange(20), 4)
    order = rng.permutation(80)
    for calibrated in (accuracy_over_all_pairs, accuracy_within_images):
        one = calibrated(x, y, images, 20)
        other = calibrated(x[order], y[order], images[order], 20)
        assert (one.value, one.epsilon) == (other.value, other.epsilon)


def test_many_images_to_the_first_order(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 900).astype(float)
    x = y + rng.normal(size=900)
    images = np.repeat(np.arange(300), 3)
    exact = accuracy_over_all_pairs(x, y, images, 300)
    monkeypatch.setattr(pairwise_accuracy, "MAX_IMAGES_IN_MATRIX", 299)
    nearly = accuracy_over_all_pairs(x, y, images, 300)
    draws = rng.multinomial(300, np.full(300, 1 / 300), size=200)
    assert nearly.value == exact.value
    assert nearly.over(draws) == pytest.approx(exact.over(draws), abs=0.004)
    assert nearly.over(draws).std() == pytest.approx(exact.over(draws).std(), rel=0.1)


def test_too_many_captions_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairwise_accuracy, "MAX_CAPTIONS", 3)
    monkeypatch.setattr(pairwise_accuracy, "MAX_PAIRS_WITHIN_IMAGES", 3)
    one = np.zeros(4, dtype=np.int64)
    with pytest.raises(InputError, match="of 3 at most, not of 4; take acc_eq_image"):
        accuracy_over_all_pairs(np.arange(4.0), np.arange(4.0), one, 1)
    with pytest.raises(InputError, match="6 pairs of captions of one image; at most 3"):
        accuracy_within_images(np.arange(4.0), np.arange(4.0), one, 1)
