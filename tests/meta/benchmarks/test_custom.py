"""Judgements of one's own: votes on pairs, aspects, and candidates among their references."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import CaptiousWarning, InputError
from captious.meta import Preferences, Protocol, evaluate
from captious.meta.agreement import agree
from captious.meta.benchmarks.custom import read_aspects, read_judgements
from captious.meta.evaluations import evaluate_aspects
from captious.meta.significance import permutation_test


def write_rows(tmp_path: Path, rows: list[dict[str, Any]]) -> Path:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(rows))
    return path


def pair(preferred: Any, **more: Any) -> dict[str, Any]:
    return {"candidates": ["a dog", "a cat"], "references": ["dog"], "preferred": preferred, **more}


def test_votes_on_pairs(tmp_path: Path) -> None:
    path = write_rows(tmp_path, [pair([0, 0, 1]), pair([1, 0.5, None]), pair(1), pair([0, 1, 0.5])])
    with pytest.warns(CaptiousWarning, match="1 of 4 pairs have as many votes on either side"):
        judgements = read_judgements(path)
    assert isinstance(judgements, Preferences) and judgements.votes is not None
    assert judgements.preferred.tolist() == [0, 1, 1]
    assert judgements.votes.shape == (3, 3)
    assert np.isnan(judgements.votes[2]).sum() == 2


def test_labels_without_votes_have_no_votes(tmp_path: Path) -> None:
    judgements = read_judgements(write_rows(tmp_path, [pair(0), pair(1)]))
    assert isinstance(judgements, Preferences) and judgements.votes is None
    protocol = Protocol(statistic="accuracy", weights="votes")
    with pytest.raises(InputError, match="cannot be weighted by votes: these judgements have none"):
        agree({"m": np.zeros((2, 2))}, judgements, protocol)


@pytest.mark.parametrize("preferred", [2, -1, [0, 3], "x", [[0]], 0.3, True, {"a": 1}])
def test_a_vote_is_for_the_first_the_second_or_neither(tmp_path: Path, preferred: Any) -> None:
    with pytest.raises(InputError, match="row 2: 'preferred' must be"):
        read_judgements(write_rows(tmp_path, [pair(0), pair(preferred)]))


def test_pairs_without_a_decision_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="every pair has as many votes on either side"):
        read_judgements(write_rows(tmp_path, [pair([0, 1]), pair(0.5)]))
    with pytest.raises(InputError, match="row 1: nobody voted on it"):
        read_judgements(write_rows(tmp_path, [pair([None]), pair(0)]))
    with pytest.raises(InputError, match="row 1: nobody voted on it"):
        read_judgements(write_rows(tmp_path, [pair([]), pair(0)]))


def test_pairs_weighted_by_votes(tmp_path: Path) -> None:
    """A pair counts by how many more votes its better caption has: 3, 1 and 2."""
    rows = [pair([0, 0, 0], group="x"), pair([1, 0, 1], group="x"), pair([1, 1], group="y")]
    judgements = read_judgements(write_rows(tmp_path, rows))
    scores = np.array([[2.0, 1], [2, 1], [1, 1]])
    accuracy: dict[str, Any] = {"statistic": "accuracy"}
    alike = agree({"m": scores}, judgements, Protocol(**accuracy), resamples=0)["m"]
    assert alike.values == {"x": 0.5, "y": 0.5, "mean": 0.5}
    weighted = agree({"m": scores}, judgements, Protocol(**accuracy, weights="votes"), resamples=0)
    assert weighted["m"].values == {"x": 0.75, "y": 0.5, "mean": 0.625}
    both = Protocol(**accuracy, weights="votes", average="pairs")
    at_once = agree({"m": scores}, judgements, both, resamples=0)
    assert at_once.statistic == "total"
    assert at_once["m"].values["total"] == pytest.approx(4 / 6)
    assert "pairs weighted by votes, all pairs at once" in both.describe()
    test = permutation_test(scores, np.array([[2.0, 1], [1, 2], [1, 2]]), judgements, both)
    assert test.difference == pytest.approx(2 / 6)


RATED: list[dict[str, Any]] = [
    {"candidate": f"a {word} dog", "references": [f"the {word} dog runs"], "rating": place % 3,
     "fluency": [place, 5 - place], "relevance": place if place != 2 else None}
    for place, word in enumerate(("red", "small", "big", "brown", "old"))
]  # fmt: skip


def test_aspects_are_columns_of_one_table(tmp_path: Path) -> None:
    path = write_rows(tmp_path, RATED)
    both = evaluate_aspects(path, ["fluency", "relevance"], ["bleu_1", "rouge_l"], resamples=20)
    alone = evaluate("custom", ["bleu_1", "rouge_l"], data=path, rating="fluency", resamples=20)
    assert both.evaluations["fluency"].to_dict() == alone.to_dict()
    assert both.evaluations["relevance"].agreements.rows[0].n == 4
    assert both.evaluations["relevance"].signature == alone.signature
    (table,) = both.as_tables()
    assert table.header == ["tau_c", "fluency", "relevance"] and len(table.rows) == 2
    assert "ratings of fluency 10, relevance 4" in str(both)
    assert {row["aspect"] for row in both.records()} == {"fluency", "relevance"}


def test_aspects_that_are_not_there(tmp_path: Path) -> None:
    path = write_rows(tmp_path, RATED)
    with pytest.raises(InputError, match="grammar"):
        read_aspects(path, ["fluency", "grammar"])
    with pytest.raises(InputError, match="row 3: 'relevance' must be a number, found null"):
        read_judgements(path, rating="relevance")
    silent = [row | {"fluency": None} for row in RATED]
    with pytest.raises(InputError, match="row 3: nobody rated it"):
        read_aspects(write_rows(tmp_path, silent), ["fluency", "relevance"])
    with pytest.raises(InputError, match="nobody rated any caption in the column 'fluency'"):
        read_aspects(write_rows(tmp_path, silent), ["fluency", "rating"])
    with pytest.raises(InputError, match="name at least one column"):
        evaluate_aspects(path, [])


def test_candidates_among_their_own_references(tmp_path: Path) -> None:
    same = {"candidate": "A red dog.", "references": ["a red dog", "a dog"], "rating": 2}
    path = write_rows(tmp_path, [*RATED, same])
    with pytest.warns(CaptiousWarning, match="1 of 6 candidates are among their own references"):
        kept = evaluate("custom", "bleu_1", data=path, resamples=0)
    assert kept.to_dict()["own_references"] == 1
    for own in ("drop_reference", "drop_pair"):
        dropped = evaluate("custom", "bleu_1", data=path, protocol=Protocol(own=own), resamples=0)
        assert dropped.to_dict()["own_references"] == 0
        assert dropped.agreements.rows[0].n == (6 if own == "drop_reference" else 5)
