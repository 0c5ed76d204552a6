"""Correlations against counting pair by pair, known values, and invariances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from captious.errors import InputError
from captious.stats.correlation import (
    correlations,
    kendall_a,
    kendall_b,
    kendall_c,
    midranks,
    pair_counts,
    pearson,
    roc_auc,
    spearman,
    tied_share,
)

few = st.integers(-3, 3)
some_pairs = st.lists(st.tuples(few, few), min_size=2, max_size=30)
many_pairs = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=2, max_size=30)
weighted = st.lists(st.tuples(few, few, st.integers(0, 4)), min_size=2, max_size=15)


def columns(rows: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    return [np.array(column, dtype=float) for column in zip(*rows, strict=True)]


def counted_pair_by_pair(x: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Concordant minus discordant pairs and ties, by definition."""
    counts = {"balance": 0.0, "tied_x": 0.0, "tied_y": 0.0}
    for (x1, y1), (x2, y2) in combinations(zip(x, y, strict=True), 2):
        counts["balance"] += np.sign(x1 - x2) * np.sign(y1 - y2)
        counts["tied_x"] += x1 == x2
        counts["tied_y"] += y1 == y2
    return counts


@pytest.mark.slow
@given(some_pairs | many_pairs)
def test_pairs_are_counted_as_by_definition(rows: list[tuple[int, int]]) -> None:
    x, y = columns(rows)
    counts = pair_counts(x, y)
    for name, value in counted_pair_by_pair(x, y).items():
        assert getattr(counts, name) == value
    assert counts.rows == len(x)
    assert counts.classes == min(len(set(x)), len(set(y)))


@pytest.mark.slow
@given(some_pairs | many_pairs)
def test_area_is_share_of_ordered_pairs(
    rows: list[tuple[int, int]],
) -> None:
    x, y = columns(rows)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    right = [
        (np.sign(x1 - x2) * np.sign(y1 - y2) + 1) / 2
        for (x1, y1), (x2, y2) in combinations(zip(x, y, strict=True), 2)
        if y1 != y2
    ]
    assert roc_auc(x, y) == pytest.approx(np.mean(right))
    assert roc_auc(-x, y) == pytest.approx(1 - roc_auc(x, y))


def test_the_area_under_a_roc_curve_that_is_drawn() -> None:
    # True and false positive rates from the highest score down: (1/3, 0), (2/3, 1/2), (1, 1).
    scores, labels = np.array([3.0, 2, 2, 1, 1]), np.array([1.0, 1, 0, 1, 0])
    corners = np.array([[0, 0], [0, 1 / 3], [1 / 2, 2 / 3], [1, 1]])
    assert roc_auc(scores, labels) == pytest.approx(np.trapezoid(corners[:, 1], corners[:, 0]))


@pytest.mark.slow
@given(some_pairs | many_pairs)
def test_kendall_is_as_by_definition(rows: list[tuple[int, int]]) -> None:
    x, y = columns(rows)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    expected, n = counted_pair_by_pair(x, y), len(x)
    pairs, balance = n * (n - 1) / 2, expected["balance"]
    m = min(len(set(x)), len(set(y)))
    root = math.sqrt((pairs - expected["tied_x"]) * (pairs - expected["tied_y"]))
    assert kendall_a(x, y) == pytest.approx(balance / pairs)
    assert kendall_b(x, y) == pytest.approx(balance / root)
    assert kendall_c(x, y) == pytest.approx(2 * balance / n**2 * m / (m - 1))


@pytest.mark.slow
@given(some_pairs | many_pairs)
def test_scipy_agrees(rows: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    x, y = columns(rows)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert kendall_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    expected = stats.kendalltau(x, y, variant="c").statistic
    assert kendall_c(x, y) == pytest.approx(expected, abs=1e-12)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert midranks(x) == pytest.approx(stats.rankdata(x))


@pytest.mark.slow
@given(weighted)
def test_a_weight_is_a_repetition(rows: list[tuple[int, int, int]]) -> None:
    x, y, w = columns(rows)
    times = w.astype(int)
    repeated = correlations(np.repeat(x, times), np.repeat(y, times))
    assert correlations(x, y, w) == pytest.approx(repeated, nan_ok=True, abs=1e-12)
    assert tied_share(x, w) == pytest.approx(tied_share(np.repeat(x, times)))


@pytest.mark.slow
@given(some_pairs, st.randoms())
def test_order_does_not_matter(rows: list[tuple[int, int]], random: Random) -> None:
    shuffled = random.sample(rows, len(rows))
    expected = correlations(*columns(rows))
    assert correlations(*columns(shuffled)) == pytest.approx(expected, nan_ok=True, abs=1e-12)


@pytest.mark.slow
@given(some_pairs)
def test_ranks_see_only_order_and_sides_may_be_exchanged(rows: list[tuple[int, int]]) -> None:
    x, y = columns(rows)
    expected = correlations(x, y)
    stretched = correlations(np.exp(x), 5 * y**3 - 1)
    exchanged = correlations(y, x)
    reversed_x = correlations(-x, y)
    areas = [each.pop("auc") for each in (expected, stretched, reversed_x)]
    assert areas == pytest.approx([areas[0], areas[0], 1 - areas[0]], nan_ok=True, abs=1e-12)
    for name, value in expected.items():
        if name != "pearson":
            assert stretched[name] == pytest.approx(value, nan_ok=True, abs=1e-12)
        assert exchanged[name] == pytest.approx(value, nan_ok=True, abs=1e-12)
        assert reversed_x[name] == pytest.approx(-value, nan_ok=True, abs=1e-12)


def test_known_values() -> None:
    # Four concordant pairs, three discordant ones, and three tied on one side.
    x, y = np.array([1.0, 2, 2, 3, 4]), np.array([1.0, 3, 2, 3, 1])
    assert pair_counts(x, y).balance == 4 - 3
    assert kendall_a(x, y) == pytest.approx(1 / 10)
    assert kendall_b(x, y) == pytest.approx(1 / math.sqrt(9 * 8))
    assert kendall_c(x, y) == pytest.approx(2 / 25 * 3 / 2)
    assert pearson(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])) == pytest.approx(0.5)
    assert spearman(np.array([1.0, 20, 300]), np.array([1.0, 3, 2])) == pytest.approx(0.5)
    assert tied_share(x) == pytest.approx(1 / 10)


def test_same_order_is_one_and_reverse_order_is_minus_one() -> None:
    x = np.arange(100.0)
    assert set(correlations(x, 2 * x + 1).values()) == {1.0}
    reverse = correlations(x, -x)
    assert reverse.pop("auc") == 0.0
    assert set(reverse.values()) == {-1.0}


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_pearson_at_any_scale(scale: float) -> None:
    x = np.array([0.0, 1, 2, 5]) * scale
    assert pearson(x, np.array([1.0, 0, 3, 4])) == pytest.approx(0.8451543)


def test_constant_scores_have_no_correlation() -> None:
    constant, y = np.full(5, 0.1), np.arange(5.0)
    known = {name for name, value in correlations(constant, y).items() if not math.isnan(value)}
    assert known == {"auc"}  # in which ties count one half
    assert correlations(constant, y)["auc"] == 0.5
    assert math.isnan(roc_auc(y, constant))
    assert all(math.isnan(value) for value in correlations(y[:1], y[:1]).values())
    assert tied_share(constant) == 1.0
    assert tied_share(constant[:1]) == 0.0


@pytest.mark.parametrize(
    ("x", "y", "weights", "message"),
    [
        ([1.0, 2], [1.0], None, "one length"),
        ([1.0, 2], [1.0, math.nan], None, "finite"),
        ([1.0, 2], [1.0, 2], [1.0, -1], "negative"),
        ([1.0, 2], [1.0, 2], [1.0], "one length"),
    ],
)
def test_invalid_columns_are_refused(x: Any, y: Any, weights: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pearson(x, y, weights)


@pytest.mark.parametrize("values", [4, 20, 10**9])
def test_fifty_thousand_pairs_are_counted_exactly(values: int) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(values, size=50_000).astype(float)
    y = np.minimum(x + rng.integers(values, size=50_000), values)
    counts = pair_counts(x, y)
    # Counted again in another way: row by row, against all rows at once.
    rows = rng.choice(50_000, size=50, replace=False)
    moved = np.delete(np.arange(50_000), rows)
    without = pair_counts(x[moved], y[moved])
    chosen = sum(float((np.sign(x - x[r]) * np.sign(y - y[r])).sum()) for r in rows)
    among = 2 * pair_counts(x[rows], y[rows]).balance
    assert counts.balance - without.balance == chosen - among / 2
