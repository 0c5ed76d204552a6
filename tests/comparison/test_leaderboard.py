"""A leaderboard: the numbers of comparisons, letters that follow from them, every format."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import captious
from captious.comparison.paired_systems import LEVEL
from captious.errors import CaptiousWarning, InputError
from captious.result import Result
from tests.conftest import read_rows
from tests.places import EXAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
METRICS = ["bleu", "rouge_l", "cider_d"]
NAMES = ("careful", "terse", "hasty")
Results = dict[str, Result]


@pytest.fixture(scope="module")
def scorer(references: dict[str, list[str]]) -> captious.Scorer:
    return captious.Scorer(references, METRICS, df="coco-val2014")


@pytest.fixture(scope="module")
def results(scorer: captious.Scorer) -> Results:
    """Three systems, and two that hardly differ from the first."""
    captions = {
        name: {row["id"]: row["candidate"] for row in read_rows(EXAMPLES / f"{name}.jsonl")}
        for name in NAMES
    }
    careful = captions["careful"]
    few = dict(list(captions["hasty"].items())[:2])
    captions |= {"nearly": careful | few, "same": careful}
    return {name: scorer.score(said) for name, said in captions.items()}


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_pairs_are_those_of_a_comparison(results: Results, method: str) -> None:
    board = captious.leaderboard(results, resamples=200, seed=3, method=method)
    pairs = list(combinations(results, 2))
    assert [pair.systems for pair in board.differences] == pairs
    for (a, b), found in zip(pairs, board.differences, strict=True):
        alone = captious.compare(
            results[a], results[b], resamples=200, seed=3, method=method, names=(a, b)
        )
        for ours, theirs in zip(found.rows, alone.rows, strict=True):
            assert (ours.p_bootstrap, ours.p_randomisation) == (
                theirs.p_bootstrap,
                theirs.p_randomisation,
            )
            assert (ours.metric, ours.a, ours.b) == (theirs.metric, theirs.a, theirs.b)
            assert ours.interval == pytest.approx(theirs.interval, abs=1e-12)


def test_scores_and_intervals_are_those_of_each_result(results: Results) -> None:
    board = captious.leaderboard(results)
    for each in board.standings:
        own = results[each.system]
        assert each.score == own.corpus[each.metric]
        assert each.interval == pytest.approx(own.interval(each.metric), abs=1e-12)


def test_letters_are_shared_if_and_only_if_nothing_is_significant(results: Results) -> None:
    board = captious.leaderboard(results)
    seen = set()
    for place, metric in enumerate(board.metrics):
        shown = {each.system: each.letters for each in board.standings if each.metric == metric}
        p = [pair.rows[place].p_randomisation for pair in board.differences]
        for pair, p_holm in zip(board.differences, _holm(p), strict=True):
            a, b = pair.systems
            assert bool(set(shown[a]) & set(shown[b])) == (p_holm >= LEVEL)
            seen.add(p_holm < LEVEL)
        assert shown["careful"] == shown["same"] and "a" in shown["careful"]
        corrected = [each[place] for each in board.p_holm]
        assert corrected == pytest.approx(_holm(p))
    assert seen == {False, True}


def _holm(p: list[float]) -> list[float]:
    """By the definition: of the sorted, each times the number of those not before it."""
    order = sorted(range(len(p)), key=p.__getitem__)
    adjusted = [0.0] * len(p)
    largest = 0.0
    for place, row in enumerate(order):
        largest = max(largest, min(1.0, p[row] * (len(p) - place)))
        adjusted[row] = largest
    return adjusted


def test_order_of_systems_orders_rows_and_nothing_else(results: Results) -> None:
    few = {name: results[name] for name in ("careful", "nearly", "hasty")}
    boards = [
        captious.leaderboard({name: few[name] for name in names}, resamples=200)
        for names in permutations(few)
    ]
    standings = [{(each.system, each.metric): each for each in board.standings} for board in boards]
    for board, found in zip(boards, standings, strict=True):
        assert found.keys() == standings[0].keys()
        for key, each in found.items():
            known = standings[0][key]
            assert (each.score, each.rank, each.rank_interval, each.letters) == (
                known.score,
                known.rank,
                known.rank_interval,
                known.letters,
            )
            assert each.interval == pytest.approx(known.interval, abs=1e-12)
        assert [row[0] for row in board.as_tables()[0].rows] == list(board.systems)


def test_order_of_samples_does_not_matter(results: Results) -> None:
    def shuffled(result: Result, seed: int) -> Result:
        order = np.random.default_rng(seed).permutation(result.n)
        statistics = {name: rows[order] for name, rows in result.statistics.items()}
        return replace(result, ids=[result.ids[row] for row in order], statistics=statistics)

    again = {name: shuffled(result, seed) for seed, (name, result) in enumerate(results.items())}
    assert captious.leaderboard(again) == captious.leaderboard(results)


def test_one_system_has_no_letters_and_no_bold(results: Results) -> None:
    board = captious.leaderboard({"hasty": results["hasty"]})
    assert {each.letters for each in board.standings} == {""} and not board.differences
    assert {each.rank_interval for each in board.standings} == {(1, 1)}
    text = str(board)
    assert "ranks" not in text and "letter" not in text and "**" not in board.to_markdown()
    assert "textbf" not in board.to_latex() and "bold" not in board.to_latex()


def test_equal_systems_are_all_best(results: Results) -> None:
    board = captious.leaderboard({name: results[name] for name in ("same", "careful")})
    assert {(each.rank, each.letters) for each in board.standings} == {(1, "a")}
    assert board.to_markdown().count("**") == 2 * 2 * len(board.metrics)


def test_json(results: Results) -> None:
    three = json.loads(captious.leaderboard({n: results[n] for n in NAMES}).to_json())
    assert three["systems"] == list(NAMES) and "rows" not in three
    assert [pair["systems"] for pair in three["differences"]] == list(
        map(list, combinations(NAMES, 2))
    )
    assert three["test"] == {
        "name": "paired randomization",
        "correction": "Holm",
        "level": 0.05,
        "randomisations": 1000,
        "can_be_significant": True,
    }
    assert set(three["signatures"]) == set(NAMES)
    first = three["leaderboard"][0]
    assert list(first) == [
        *("system", "metric", "score", "interval", "rank", "rank_interval", "letters"),
    ]
    two = captious.leaderboard({name: results[name] for name in ("terse", "careful")})
    pair = captious.compare(results["terse"], results["careful"], names=("terse", "careful"))
    as_before = pair.to_dict()
    assert as_before.pop("interval_method") == two.to_dict()["difference_interval_method"] == "t"
    assert {name: two.to_dict()[name] for name in as_before} == as_before
    assert set(as_before["rows"][0]) == {
        *("metric", "a", "b", "difference", "interval", "p_bootstrap", "p_randomisation"),
    }


def test_csv_is_tidy(results: Results) -> None:
    board = captious.leaderboard({name: results[name] for name in NAMES})
    rows = list(csv.DictReader(io.StringIO(board.to_text("csv"))))
    assert list(rows[0])[:7] == ["system", "metric", "score", "low", "high", "rank", "letters"]
    assert len(rows) == 3 * len(board.metrics)
    assert float(rows[0]["score"]) == board.standings[0].score


def test_text_is_readable_in_a_hundred_columns(results: Results) -> None:
    text = str(captious.leaderboard(results))
    tables = text.partition("\na shared letter")[0]
    assert max(map(len, tables.splitlines())) <= 100


def test_latex_of_odd_names(results: Results) -> None:
    odd = {"50%_of & {more}": results["careful"], r"\input{x}$": results["hasty"]}
    latex = captious.leaderboard(odd).to_latex()
    assert r"50\%\_of \& \{more\}" in latex and r"\textbackslash{}input\{x\}\$" in latex
    assert "CIDEr &" in latex or "CIDEr \\\\" in latex
    assert "CIDEr-D" not in latex
    assert r"\toprule" in latex and r"\footnotesize" in latex and r"rouge\_l(" in latex


@pytest.mark.filterwarnings("default::captious.CaptiousWarning")
def test_metrics_in_common_are_used_and_the_others_named(
    scorer: captious.Scorer, references: dict[str, list[str]], results: Results
) -> None:
    fewer = captious.Scorer(references, ["rouge_l"]).score(
        [references[image][0] for image in references]
    )
    with pytest.warns(CaptiousWarning, match="fewer has no bleu_1, bleu_2, .*cider_d: left out"):
        board = captious.leaderboard({"careful": results["careful"], "fewer": fewer})
    assert board.metrics == ("rouge_l",)


@pytest.mark.filterwarnings("default::captious.CaptiousWarning")
def test_too_few_resamples_cause_a_warning(results: Results) -> None:
    with pytest.warns(CaptiousWarning, match="over 10 pairs.* at least 200 resamples"):
        captious.leaderboard(results, resamples=199)
    board = captious.leaderboard(results, resamples=200)
    assert any(each.letters == "b" for each in board.standings)


@pytest.mark.filterwarnings("default::captious.CaptiousWarning")
def test_other_settings_are_warned_of_by_name(
    references: dict[str, list[str]], candidates: dict[str, str]
) -> None:
    sides = {
        f"n{n}": captious.score(candidates, references, ["cider_d"], df="coco-val2014", n=n)
        for n in (3, 4)
    }
    with pytest.warns(CaptiousWarning, match="n3 and n4 were scored differently: .*n=3.*n=4"):
        captious.leaderboard(sides)


def test_invalid_leaderboards_are_refused(
    results: Results, references: dict[str, list[str]]
) -> None:
    other = captious.score({"x": "a"}, {"x": ["a"]}, METRICS)
    bad: list[tuple[Any, str]] = [
        ({}, "no systems"),
        ({"a": results["careful"], "b": other}, "1 sample of a and 0 of b"),
        ({"a": results["careful"], 3: results["hasty"]}, "results by name"),
        ({"a": 5}, "results by name"),
        ([results["careful"]], "a dict"),
    ]
    for given, why in bad:
        with pytest.raises(InputError, match=why):
            captious.leaderboard(given)
    with pytest.raises(InputError, match="unknown method"):
        captious.leaderboard(results, method="spam")


def test_images_with_several_captions(scorer: captious.Scorer) -> None:
    images = list(scorer.ids)[:6]
    twice = [image for image in images for _ in range(2)]
    a = scorer.score(["a dog", "two men on a beach"] * 6, ids=twice)
    b = scorer.score(["a cat", "a bus in a street"] * 6, ids=twice)
    board = captious.leaderboard({"a": a, "b": b}, resamples=100)
    assert board.n == 6
    assert board.differences[0].rows == captious.compare(a, b, resamples=100).rows
