"""Krippendorff's alpha beside published values, and over draws beside rows repeated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from captious.stats.inter_rater import alpha_function

N = math.nan
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


def alpha(ratings: object) -> float:
    rating_table = np.array(ratings, dtype=float)
    return float(
        alpha_function(rating_table, np.arange(len(rating_table)), len(rating_table))(
            np.ones((1, len(rating_table)))
        )[0]
    )


def test_the_authors_example() -> None:
    assert alpha(np.array(OBSERVERS).T) == pytest.approx(0.849, abs=5e-4)  # interval data


def test_binary_data_of_two_observers() -> None:
    """The same paper's section A: .095."""
    first, second = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert alpha(np.array([first, second]).T) == pytest.approx(0.095, abs=5e-4)


def test_scale_and_place_change_nothing() -> None:
    rating_table = np.array(OBSERVERS).T
    assert alpha(rating_table * 1e120 + 1e120) == pytest.approx(alpha(rating_table))
    assert alpha(rating_table * 1e-120) == pytest.approx(alpha(rating_table))


def test_full_agreement_and_none() -> None:
    assert alpha([[1, 1], [2, 2], [5, 5]]) == 1
    assert alpha([[1, 2], [2, 1]]) < 0
    assert math.isnan(alpha([[1, 1], [1, 1]]))
    assert math.isnan(alpha([[1, N], [N, 2]]))  # nobody beside anybody


def test_draws_are_captions_repeated() -> None:
    rng = np.random.default_rng(0)
    rating_table = rng.integers(1, 5, size=(30, 3)).astype(float)
    rating_table[rng.random(rating_table.shape) < 0.2] = N
    images = np.repeat(np.arange(10), 3)
    draws = rng.multinomial(10, np.full(10, 0.1), size=20)
    over = alpha_function(rating_table, images, 10)(draws)
    for drawn, value in zip(draws, over, strict=True):
        repeated = np.repeat(rating_table, drawn[images], axis=0)
        assert value == pytest.approx(alpha(repeated))


def test_the_library_says_the_same() -> None:
    krippendorff = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(1)
    for _ in range(10):
        rating_table = rng.integers(1, 5, size=(40, 4)).astype(float)
        rating_table[rng.random(rating_table.shape) < 0.3] = N
        expected_alpha = krippendorff.alpha(rating_table.T, level_of_measurement="interval")
        assert alpha(rating_table) == pytest.approx(expected_alpha)
