"""Tests of differences between metrics, corrections, and letters."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.errors import InputError
from captious.meta.agreement import agree
from captious.meta.protocol import Protocol
from captious.meta.significance import differences, permutation_test, williams
from captious.stats.compact_letters import (
    correct_p_values,
    indistinguishable_groups,
    letter_display,
)
from captious.stats.correlation import STATISTICS
from captious.stats.distributions import normal_p_value, student_p_value
from tests.made_up.judgements import preferences_of, ratings_of


def made_up_scores(n: int = 300, seed: int = 0) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Ratings, and metrics that follow them more and more loosely."""
    rng = np.random.default_rng(seed)
    human_ratings = rng.integers(1, 5, size=n).astype(float)
    noise = {"good": 0.5, "good_too": 0.5, "fair": 1.5, "poor": 6.0}
    return human_ratings, {
        name: human_ratings + size * rng.normal(size=n) for name, size in noise.items()
    }


def test_student_and_normal_match_tabulated_values() -> None:
    # Two-sided 5% points from any table of Student's t.
    for freedom, t in [(1, 12.7062), (2, 4.30265), (9, 2.26216), (30, 2.04227), (1000, 1.96234)]:
        assert student_p_value(t, freedom) == pytest.approx(0.05, abs=1e-6)
        assert student_p_value(-t, freedom) == student_p_value(t, freedom)
    assert normal_p_value(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert student_p_value(0, 5) == 1
    assert student_p_value(1, 1) == pytest.approx(0.5)  # Cauchy's quartile


@pytest.mark.slow
@given(st.floats(-60, 60), st.integers(1, 100_000))
def test_scipy_agrees_on_student(t: float, freedom: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = 2 * stats.t.sf(abs(t), freedom)
    assert student_p_value(t, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-300)


def test_williams_at_a_worked_example() -> None:
    """With correlations .4, .6 and .5 over 103 rows the formula gives t = 2.486."""
    target = np.array([[1, 0.5, 0.4], [0.5, 1, 0.6], [0.4, 0.6, 1]])
    noise = np.random.default_rng(0).normal(size=(103, 3))
    # Columns that are orthogonal to each other and to a constant get exactly these correlations.
    centred = np.linalg.qr(noise - noise.mean(axis=0))[0]
    a, b, people = (centred @ np.linalg.cholesky(target).T).T
    determinant = 1 - 0.4**2 - 0.6**2 - 0.5**2 + 2 * 0.4 * 0.6 * 0.5
    t = 0.2 * math.sqrt(102 * 1.5 / (2 * 102 / 100 * determinant + 0.25 * 0.5**3))
    test = williams(a, b, people)
    assert test.difference == pytest.approx(0.2)
    assert t == pytest.approx(2.48626, abs=1e-5)
    assert test.value == pytest.approx(t)
    assert test.p == pytest.approx(student_p_value(t, 100))


def test_williams_of_one_metric_with_itself_and_of_too_few_captions() -> None:
    x, people = np.arange(9.0), np.array([1.0, 3, 2, 5, 4, 6, 9, 7, 8])
    assert williams(x, 3 * x + 1, people).p == 1
    assert math.isnan(williams(x, np.zeros(9), people).p)
    with pytest.raises(InputError, match="at least 4"):
        williams(x[:3], x[:3], people[:3])


@pytest.mark.slow
@pytest.mark.parametrize("statistic", STATISTICS)
def test_all_pairs_from_joint_draws(statistic: str) -> None:
    human_ratings, scores = made_up_scores()
    found = differences(agree(scores, ratings_of(human_ratings), Protocol(statistic=statistic)))
    assert found.statistic == statistic
    assert found.metrics[2:] == ("fair", "poor")
    p = dict(zip(found.metrics, found.p_values, strict=True))
    best = found.metrics.index("good")
    assert p["good_too"][best] > 0.05
    assert p["fair"][best] < 0.001
    assert found.letters == ("a", "a", "b", "c")
    assert np.array_equal(found.p_values, found.p_values.T, equal_nan=True)
    assert found.differences[0, 3] == pytest.approx(found.values[0] - found.values[3])


def test_bootstrap_williams_and_permutation_agree() -> None:
    human_ratings, scores = made_up_scores(n=120, seed=5)
    protocol = Protocol(statistic="pearson")
    pair = {
        name: scores[name] + (human_ratings.mean() - human_ratings) * 0.7
        for name in ("good", "fair")
    }
    judgements = ratings_of(human_ratings)
    found = agree(pair, judgements, protocol)
    by_normal = differences(found, correction="none").p_values[0, 1]
    by_count = differences(found, correction="none", counted=True).p_values[0, 1]
    by_williams = williams(pair["fair"], pair["good"], human_ratings)
    by_permutation = permutation_test(pair["fair"], pair["good"], judgements, protocol)
    difference = found["good"].values["pearson"] - found["fair"].values["pearson"]
    assert by_williams.difference == pytest.approx(difference)
    assert by_permutation.difference == pytest.approx(difference)
    assert by_normal == pytest.approx(by_williams.p, abs=0.05)
    assert by_count == pytest.approx(by_normal, abs=0.05)
    assert by_permutation.p == pytest.approx(by_williams.p, abs=0.05)


@pytest.mark.slow
def test_false_positive_rate_is_at_most_the_level() -> None:
    """Two metrics equally good differ at .05 about once in twenty times."""
    alarms = {"bootstrap": 0, "permutation": 0}
    rng = np.random.default_rng(0)
    for _ in range(100):
        human_ratings = rng.integers(1, 5, size=100).astype(float)
        a, b = (human_ratings + rng.normal(size=100) for _ in range(2))
        found = agree({"a": a, "b": b}, ratings_of(human_ratings), resamples=200)
        alarms["bootstrap"] += differences(found).p_values[0, 1] < 0.05
        alarms["permutation"] += (
            permutation_test(a, b, ratings_of(human_ratings), resamples=200).p < 0.05
        )
    for count in alarms.values():
        assert 1 <= count <= 13


@pytest.mark.parametrize("statistic", STATISTICS)
def test_permutation_finds_differences_and_only_those(statistic: str) -> None:
    human_ratings, scores = made_up_scores()
    protocol = Protocol(statistic=statistic)
    judgements = ratings_of(human_ratings)
    found = agree(scores, judgements, protocol, resamples=0)
    clear = permutation_test(scores["poor"], scores["good"], judgements, protocol, resamples=300)
    assert clear.p == pytest.approx(1 / 301)
    expected = found["good"].values[statistic] - found["poor"].values[statistic]
    assert clear.difference == pytest.approx(expected)
    none = permutation_test(scores["good"], 7 * scores["good"], judgements, protocol, resamples=300)
    assert none.p == 1


def test_permutation_of_preferences() -> None:
    rng = np.random.default_rng(0)
    preferred = rng.integers(2, size=200)
    judgements = preferences_of(preferred, ["HC", "MM"] * 100)
    good, poor = rng.normal(size=(2, 200, 2))
    good[np.arange(200), preferred] += 2
    found = agree({"good": good, "poor": poor}, judgements)
    test = permutation_test(poor, good, judgements)
    assert test.statistic == "accuracy"
    assert test.difference == pytest.approx(
        found["good"].values["mean"] - found["poor"].values["mean"]
    )
    assert test.p < 0.01
    assert permutation_test(good, good, judgements).p == 1
    assert differences(found).letters == ("a", "b")
    assert differences(found, "HC").p_values[0, 1] < 0.01


@pytest.mark.slow
def test_undefined_metrics_come_last_without_letters() -> None:
    human_ratings, scores = made_up_scores()
    found = differences(agree({"none": np.zeros(300), **scores}, ratings_of(human_ratings)))
    assert (found.metrics[-1], found.letters[-1]) == ("none", "")
    assert found.letters[0] == "a"
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["p"][0][-1] is None


def test_twelve_systems_distinguish_few_metrics() -> None:
    rng = np.random.default_rng(0)
    people = rng.normal(size=12)
    scores = {f"m{k}": people + (0.5 + k / 20) * rng.normal(size=12) for k in range(8)}
    found = agree(scores, ratings_of(people), Protocol(statistic="pearson"))
    assert max(found.rows, key=lambda row: row.values["pearson"]).values["pearson"] > 0.85
    p = differences(found, counted=True).p_values
    assert np.nanmin(p) > 0.05


def test_holm_at_a_worked_example() -> None:
    p = np.full((3, 3), np.nan)
    for (one, other), value in zip([(0, 1), (0, 2), (1, 2)], [0.01, 0.04, 0.03], strict=True):
        p[one, other] = p[other, one] = value
    raised = correct_p_values(p)
    assert raised[0, 1] == raised[1, 0] == pytest.approx(0.03)
    assert raised[1, 2] == pytest.approx(0.06)
    assert raised[0, 2] == pytest.approx(0.06)
    assert correct_p_values(p, "none") is p
    with pytest.raises(InputError, match="choose one of: holm, none"):
        correct_p_values(p, "bonferroni")


def test_letters_at_a_worked_example() -> None:
    apart = np.zeros((4, 4), dtype=bool)
    for one, other in [(0, 2), (0, 3), (1, 3)]:
        apart[one, other] = apart[other, one] = True
    assert letter_display(apart) == ["a", "ab", "bc", "c"]
    assert letter_display(np.zeros((3, 3), dtype=bool)) == ["a", "a", "a"]
    assert letter_display(~np.eye(3, dtype=bool)) == ["a", "b", "c"]
    assert letter_display(np.zeros((0, 0), dtype=bool)) == []


@pytest.mark.slow
@given(st.integers(1, 8), st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_metrics_that_share_a_letter_do_not_differ_and_no_letter_is_redundant(
    n: int, pairs: set[tuple[int, int]]
) -> None:
    apart = np.zeros((n, n), dtype=bool)
    for one, other in pairs:
        if one != other and max(one, other) < n:
            apart[one, other] = apart[other, one] = True
    shown = letter_display(apart)
    assert "a" in shown[0]
    for one, other in combinations(range(n), 2):
        assert bool(set(shown[one]) & set(shown[other])) != apart[one, other]
    groups = [set(group) for group in indistinguishable_groups(apart)]
    assert not any(one < other or other < one for one, other in combinations(groups, 2))


def test_unknown_statistic_is_an_error() -> None:
    found = agree({"m": np.arange(5.0)}, ratings_of(np.arange(5)), resamples=2)
    with pytest.raises(InputError, match="there are: kendall_a"):
        differences(found, "accuracy")
