"""Tests of two metrics, and how many images it takes to tell them apart."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.meta import (
    Protocol,
    evaluate,
    versus,
)
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Ratings
from captious.meta.significance import williams
from captious.meta.two_metrics import PowerRow, _images_needed, power
from captious.stats.correlation import pearson
from tests.made_up.judged_captions import preferred, rated
from tests.made_up.judgements import preferences_of, ratings_of
from tests.meta.as_json import as_json


def ratings_and_scores(n: int, seed: int = 0) -> tuple[Ratings, dict[str, FloatArray]]:
    rng = np.random.default_rng(seed)
    true = rng.normal(size=n)
    human_ratings = np.round(true + rng.normal(size=n) / 2)
    return ratings_of(human_ratings), {
        "good": true + 0.8 * rng.normal(size=n),
        "bad": true + 1.6 * rng.normal(size=n),
    }


def evaluated(n: int, statistic: str = "pearson", resamples: int = 400) -> Evaluation:
    ratings, scores = ratings_and_scores(n)
    protocol = Protocol(statistic=statistic, raters="mean")
    return evaluate(ratings, scores=scores, protocol=protocol, resamples=resamples)


@pytest.mark.slow
def test_power_equals_testing_every_draw() -> None:
    ratings, scores = ratings_and_scores(120)
    human_ratings = ratings.ratings[:, 0]
    outcome = power(evaluated(120, resamples=1000), "bad", "good")
    rng = np.random.default_rng(9)
    for row in outcome.rows[1:3]:  # 20 and 50 images
        significant = right = 0
        for _ in range(150):
            drawn = rng.integers(120, size=row.images)

            def difference(rows: IntArray) -> float:
                return pearson(scores["good"][rows], human_ratings[rows]) - pearson(
                    scores["bad"][rows], human_ratings[rows]
                )

            here = difference(drawn)
            again = [difference(rng.choice(drawn, row.images)) for _ in range(60)]
            right += here > 0
            significant += here > 1.96 * float(np.nanstd(again, ddof=1))
        assert row.right_sign == pytest.approx(right / 150, abs=0.08)
        assert row.significant == pytest.approx(significant / 150, abs=0.12)


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["kendall_c", "spearman", "acc_eq", "pearson"])
def test_power_grows_with_images(statistic: str) -> None:
    outcome = power(evaluated(300, statistic), "bad", "good")
    assert [row.images for row in outcome.rows] == [10, 20, 50, 100, 200, 300]
    significant = [row.significant for row in outcome.rows]
    assert all(b > a - 0.05 for a, b in pairwise(significant))
    assert significant[-1] > 0.9 and outcome.difference > 0
    assert outcome.least is not None and 10 < outcome.least < 300
    turned = power(evaluated(300, statistic), "good", "bad")
    assert (turned.least, turned.difference) == (outcome.least, -outcome.difference)


def test_metrics_that_are_better_lower_are_reversed() -> None:
    ratings, scores = ratings_and_scores(60)
    turned = {"chair_i": -scores["good"], "bad": scores["bad"]}
    protocol = Protocol(statistic="pearson", raters="mean")
    found = [
        power(evaluate(ratings, scores=given, protocol=protocol, resamples=100), "bad", name)
        for given, name in ((scores, "good"), (turned, "chair_i"))
    ]
    assert found[0].rows == found[1].rows
    assert found[0].rows[-1].right_sign > 0.9


def test_too_few_images_are_drawn_several_times() -> None:
    outcome = power(evaluated(12), "bad", "good")
    assert [row.images for row in outcome.rows] == [10, 12, 24, 48]
    assert "more than 12 images are these, drawn several times" in str(outcome)


def test_equal_metrics_never_differ_significantly() -> None:
    ratings, scores = ratings_and_scores(40)
    same = {"a": scores["good"], "b": 2 * scores["good"]}
    evaluation = evaluate(ratings, scores=same, resamples=50)
    outcome = power(evaluation, "a", "b")
    assert outcome.least is None and math.isnan(outcome.rows[0].significant)
    assert outcome.to_dict()["rows"][0]["significant"] is None
    assert "80% are not reached with 160 images" in str(outcome)


def test_preferences() -> None:
    rng = np.random.default_rng(0)
    pairs = preferences_of([0] * 200)
    good, bad = (np.stack([rng.random(200) + gain, rng.random(200)], axis=1) for gain in (0.5, 0.1))
    outcome = power(
        evaluate(pairs, scores={"good": good, "bad": bad}, resamples=200), "bad", "good"
    )
    assert outcome.statistic == "accuracy" and outcome.rows[-1].significant > 0.9


def test_images_without_ratings_are_not_drawn() -> None:
    ratings, scores = ratings_and_scores(40)
    ratings.ratings[5:10] = np.nan
    outcome = power(evaluate(ratings, scores=scores, resamples=50), "bad", "good")
    assert outcome.images == 35


def test_images_needed_are_interpolated_by_the_normal_distribution() -> None:
    def chance(images: int) -> PowerRow:
        return PowerRow(images, images, 1.0, NormalDist().cdf(math.sqrt(images) * 0.2 - 1.96))

    exactly = math.ceil(((1.96 + NormalDist().inv_cdf(0.8)) / 0.2) ** 2)
    assert _images_needed([chance(100), chance(200), chance(500)]) == exactly
    assert _images_needed([PowerRow(10, 10, 1.0, 0.9)]) == 10
    assert _images_needed([PowerRow(10, 10, 1.0, 0.1), PowerRow(20, 20, 1.0, 0.2)]) is None


def test_invalid_draws_are_refused() -> None:
    with pytest.raises(InputError, match="resamples must be above 0"):
        power(evaluated(20, resamples=0), "bad", "good")
    with pytest.raises(InputError, match="no metric named"):
        power(evaluated(20), "bad", "other")


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
def test_versus_has_the_difference_and_three_tests() -> None:
    found = evaluate(rated(), ["bleu_1", "cider_d"], resamples=200)
    result = versus(found, "bleu_1", "cider_d")
    values = [found.agreements[name].values["kendall_c"] for name in ("bleu_1", "cider_d")]
    assert [result.value_a, result.value_b] == values
    assert [test.name for test in result.tests] == ["bootstrap", "permutation", "williams"]
    bootstrap, permutation, pearson = result.tests
    assert bootstrap.difference == pytest.approx(values[1] - values[0])
    assert permutation.difference == pytest.approx(values[1] - values[0])
    mean = rated().ratings.mean(axis=1)
    assert pearson == williams(found.scores["bleu_1"], found.scores["cider_d"], mean)
    assert all(0 < test.p <= 1 for test in result.tests)
    low, high = result.interval
    assert low <= high
    back = versus(found, "cider_d", "bleu_1")
    assert back.interval == pytest.approx((-high, -low))
    assert back.tests[0].p == pytest.approx(bootstrap.p)
    outcome = as_json(result)
    assert (outcome["a"], outcome["b"], len(outcome["tests"])) == ("bleu_1", "cider_d", 3)
    assert "cider_d - bleu_1" in str(result) and "permutation" in result.to_text("markdown")


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
def test_a_metric_differs_from_noise_and_not_from_itself() -> None:
    rng = np.random.default_rng(1)
    human_ratings = np.repeat(np.arange(60.0), 2)
    ratings = type(rated())(
        ["a"] * 120, [["b"]] * 120, list(range(120)), human_ratings[:, None], ["all"] * 120
    )
    scores = {"good": human_ratings + rng.normal(0, 5, 120), "noise": rng.normal(size=120)}
    scores["twice"] = 2 * scores["good"]
    found = evaluate(ratings, scores=scores, resamples=200)
    assert all(test.p < 0.01 for test in versus(found, "noise", "good").tests)
    assert all(test.p == pytest.approx(1) for test in versus(found, "good", "twice").tests)


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
def test_versus_of_pairs_omits_williams_test() -> None:
    found = evaluate(preferred(), ["bleu_1", "cider_d"], resamples=50)
    result = versus(found, "bleu_1", "cider_d")
    assert [test.name for test in result.tests] == ["bootstrap", "permutation"]
    assert result.value_a == found.agreements["bleu_1"].values["mean"]
    as_json(result)


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
def test_versus_a_constant_metric_is_undefined() -> None:
    found = evaluate(rated(), ["bleu_1", lambda candidate, references: 1.0], resamples=20)
    outcome = as_json(versus(found, "bleu_1", "lambda"))
    assert outcome["value_b"] is None and outcome["interval"] == [None, None]
    assert [test["p"] for test in outcome["tests"]] == [None, None, None]


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
def test_versus_needs_metrics_of_the_evaluation() -> None:
    found = evaluate(rated(), ["bleu_1", "rouge_l"], resamples=20)
    with pytest.raises(InputError, match=r"no metric named 'meteor' .* bleu_1, rouge_l"):
        versus(found, "bleu_1", "meteor")
    without = evaluate(rated(), ["bleu_1", "rouge_l"], resamples=0)
    with pytest.raises(InputError, match="resamples: a whole number from 1 up"):
        versus(without, "bleu_1", "rouge_l")
