"""Findings as text and JSON; the arithmetic of single experiments."""

from __future__ import annotations

import json

import numpy as np
import pytest

from captious.errors import InputError
from captious.experiments.catalogue import EXPERIMENTS, experiments_named
from captious.experiments.declaration import Features
from captious.experiments.papers.rows import GROUPS
from captious.experiments.result import Finding, Panel, Table
from captious.experiments.workbench.features import feature_set_of
from captious.experiments.workbench.grids import balanced_accuracy, figure
from captious.experiments.workbench.scoring import equal_weights, fitted, predicted
from captious.meta.published import published

TABLE = Table("Scores", ["metric", "ours", "published", "n"], [["a", 0.5, None, 1200]])
FINDING = Finding("one", "A title", (TABLE,), notes=("A note.",))


def test_text_has_numbers_and_gaps() -> None:
    text = FINDING.to_text("markdown")
    assert "A title" in text and "A note." in text
    assert [cell.strip() for cell in text.splitlines()[6].split("|")[1:-1]] == [
        "a", "0.500", "", "1,200",
    ]  # fmt: skip


def test_json_has_no_number_that_is_none() -> None:
    table = Table("t", ["a", "b"], [["x", float("nan")]])
    panel = Panel("p", "x", "y", {"c": ((1.0, 2.0), (2.0, float("nan")))})
    said = json.loads(Finding("n", "t", (table,), (panel,)).to_text("json"))
    assert said["tables"][0]["rows"] == [{"a": "x", "b": None}]
    assert said["panels"][0]["curves"] == {"c": [[1.0, 2.0], [2.0, None]]}


def test_columns_of_one_name_are_told_apart_in_json() -> None:
    header = ["metric", "tau", "published", "rho", "published"]
    (row,) = Table("t", header, [["a", 0.1, 0.2, 0.3, 0.4]]).to_dict()["rows"]
    assert row == {
        "metric": "a", "tau": 0.1, "tau, published": 0.2, "rho": 0.3, "rho, published": 0.4,
    }  # fmt: skip


def test_every_experiment_is_listed_once_with_what_it_shows() -> None:
    assert len(EXPERIMENTS) == 18
    assert all(one.name == name and one.shows and one.paper for name, one in EXPERIMENTS.items())
    assert [one.name for one in experiments_named(["pairs", "times", "pairs"])] == [
        "pairs",
        "times",
    ]
    with pytest.raises(InputError, match="did you mean 'references'"):
        experiments_named(["reference"])


def test_groups_have_published_figures_under_their_names() -> None:
    for network in GROUPS:
        assert published("composite", "kendall_b", network.name, "lceval"), network.name
        assert feature_set_of(network.features).name == network.name
    assert len(feature_set_of(Features("semantic+lexical"))) == 11


def test_published_figures_are_found() -> None:
    assert figure("composite", "kendall_b", "lceval", "Sharif et al. 2019, table 4") == 0.418
    assert figure("composite", "kendall_b", "mowe", "Sharif et al. 2019") is None


def test_accuracy_is_balanced_and_equal_scores_stay_together() -> None:
    is_human = np.array([True, False, False, False])
    assert balanced_accuracy(np.array([0.9, 0.1, 0.2, 0.3]), is_human) == 1.0
    assert balanced_accuracy(np.zeros(4), is_human) == 0.5
    assert balanced_accuracy(np.array([0.2, 0.1, 0.2, 0.3]), is_human) == pytest.approx(2 / 3)


def test_equal_weights_are_the_mean_of_scaled_features() -> None:
    spider = feature_set_of(Features("lceval", only=("spice", "cider_d")))
    assert spider.columns == ("spice", "cider_d")
    assert equal_weights(spider, np.array([[0.2, 4.0]])).tolist() == pytest.approx([0.3])


def test_a_regression_finds_what_made_the_ratings() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(50, 3))
    ratings = features @ [1.0, -2.0, 0.5] + 3.0
    weights = fitted(features, ratings)
    assert weights.tolist() == pytest.approx([1.0, -2.0, 0.5, 3.0])
    assert predicted(features, weights).tolist() == pytest.approx(ratings.tolist())
