"""What people said, as attributes of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from captious.meta.evaluation import evaluate
from captious.meta.judgements import Judgements, Ratings
from captious.report.browser.contents import Attribute
from captious.report.judgements.ratings import make_attributes
from tests.made_up.judged_captions import PREFERRED, RATINGS, preferred, rated


def known(judgements: Judgements) -> dict[str, Attribute]:
    found = evaluate(judgements, "bleu_1,rouge_l", resamples=0)
    assert found.judgements is not None
    return {each.name: each for each in make_attributes(found, found.judgements)}


def test_ratings_by_several_people() -> None:
    found = known(rated())
    assert list(found) == ["rating", "raters", "spread"]
    assert list(found["rating"].values) == [sum(two) / 2 for two in RATINGS]
    assert list(found["raters"].values) == [2] * 12
    assert list(found["spread"].values) == [max(two) - min(two) for two in RATINGS]


def test_ratings_that_some_people_did_not_give() -> None:
    ratings = np.array(RATINGS, dtype=float)
    ratings[0] = [np.nan, 3]
    ratings[1] = np.nan
    found = known(replace(rated(), ratings=ratings))
    columns = (found[name].values for name in ("raters", "rating", "spread"))
    raters, mean, spread = (np.array(values, dtype=float)[:3] for values in columns)
    assert np.array_equal(raters, [1, 0, 2])
    assert np.array_equal(mean, [3, np.nan, 4], equal_nan=True)
    assert np.array_equal(spread, [0, np.nan, 0], equal_nan=True)


def test_single_rating_has_no_spread_or_rater_count() -> None:
    judgements = replace(rated(), ratings=np.array(RATINGS, dtype=float)[:, :1])
    assert list(known(judgements)) == ["rating"]


def test_parts_of_a_benchmark_are_groups() -> None:
    groups = ["human", "machine"] * 6
    assert known(rated(groups))["group"].values == groups


def test_preferences_name_the_series_that_is_preferred() -> None:
    found = known(preferred())
    assert found["preferred"].values == [("first", "second")[side] for side in PREFERRED]
    assert found["group"].values == ["HM"] * 3 + ["MM"] * 3


def test_metrics_that_agree_are_counted() -> None:
    scores = {
        "right": np.array([[1.0, 0], [1, 0], [1, 0], [1, 0], [0, 1], [1, 0]]),
        "wrong": np.array([[0.0, 1], [0, 1], [0, 1], [0, 1], [1, 0], [0, 1]]),
        "first": np.array([[1.0, 0]] * 6),
        "tied": np.zeros((6, 2)),
    }
    found = evaluate(preferred(), scores=scores, resamples=0)
    assert found.judgements is not None
    agreeing = make_attributes(found, found.judgements)[1]
    assert agreeing.values == pytest.approx([2.5, 2.5, 2.5, 2.5, 1.5, 2.5])
    assert "of 4" in agreeing.what


def test_ratings_without_any_rater_are_refused() -> None:
    nobody = Ratings(["a"], [["b"]], ["x"], np.array([[np.nan]]), ["all"])
    with pytest.raises(Exception, match="no ratings"):
        known(nobody)
