"""Two metrics against each other, numbers of references, all benchmarks, time, files of scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.io.formats import write_columns
from captious.meta import (
    PRESETS,
    Protocol,
    evaluate,
    evaluate_by_references,
    judged,
    survey,
    time_metrics,
    versus,
)
from captious.meta.judgements import Preferences, Ratings
from captious.meta.scoring import read_judged_scores, score_judged, write_judged
from captious.meta.significance import williams
from tests.made_up.judged_captions import preferred, rated
from tests.meta.as_json import as_json

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images


# --- two metrics ---


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
    told = as_json(result)
    assert (told["a"], told["b"], len(told["tests"])) == ("bleu_1", "cider_d", 3)
    assert "cider_d - bleu_1" in str(result) and "permutation" in result.to_text("markdown")


def test_a_metric_differs_from_noise_and_not_from_itself() -> None:
    rng = np.random.default_rng(1)
    said = np.repeat(np.arange(60.0), 2)
    ratings = type(rated())(
        ["a"] * 120, [["b"]] * 120, list(range(120)), said[:, None], ["all"] * 120
    )
    scores = {"good": said + rng.normal(0, 5, 120), "noise": rng.normal(size=120)}
    scores["twice"] = 2 * scores["good"]
    found = evaluate(ratings, scores=scores, resamples=200)
    assert all(test.p < 0.01 for test in versus(found, "noise", "good").tests)
    assert all(test.p == pytest.approx(1) for test in versus(found, "good", "twice").tests)


def test_versus_of_pairs_omits_williams_test() -> None:
    found = evaluate(preferred(), ["bleu_1", "cider_d"], resamples=50)
    result = versus(found, "bleu_1", "cider_d")
    assert [test.name for test in result.tests] == ["bootstrap", "permutation"]
    assert result.value_a == found.agreements["bleu_1"].values["mean"]
    as_json(result)


def test_versus_a_constant_metric_is_undefined() -> None:
    found = evaluate(rated(), ["bleu_1", lambda candidate, references: 1.0], resamples=20)
    told = as_json(versus(found, "bleu_1", "lambda"))
    assert told["value_b"] is None and told["interval"] == [None, None]
    assert [test["p"] for test in told["tests"]] == [None, None, None]


def test_versus_needs_metrics_of_the_evaluation() -> None:
    found = evaluate(rated(), ["bleu_1", "rouge_l"], resamples=20)
    with pytest.raises(InputError, match=r"no metric named 'meteor' .* bleu_1, rouge_l"):
        versus(found, "bleu_1", "meteor")
    without = evaluate(rated(), ["bleu_1", "rouge_l"], resamples=0)
    with pytest.raises(InputError, match="resamples: a whole number from 1 up"):
        versus(without, "bleu_1", "rouge_l")


# --- numbers of references ---


def test_agreement_is_listed_by_number_of_references(ratings_file: Path) -> None:
    seen: dict[int, list[set[str]]] = {}

    def look(candidate: str, references: Sequence[str]) -> float:
        seen.setdefault(len(references), []).append(set(references))
        return float(len(candidate))

    found = evaluate_by_references(
        "custom", [3, 1, 2, 1], ["rouge_l", look], data=ratings_file, resamples=20
    )
    assert found.counts == (1, 2, 3)
    assert all(len(seen[count]) == 12 for count in (1, 2, 3))
    for one, two, three in zip(seen[1], seen[2], seen[3], strict=True):
        assert one < two < three
    assert list(found.curves) == ["rouge_l", "look"] and len(found.curves["look"]) == 3
    for count, row in zip(found.counts, found.curves["rouge_l"], strict=True):
        alone = evaluate(
            "custom", "rouge_l", data=ratings_file, protocol=Protocol(references=count), resamples=0
        )
        assert row.values == alone.agreements["rouge_l"].values
    told = as_json(found)
    assert told["references"] == [1, 2, 3]
    assert [each["protocol"]["references"] for each in told["evaluations"]] == [1, 2, 3]
    assert "by number of references" in str(found) and "95 % interval at 3" in str(found)


def test_agreement_is_listed_by_number_of_references_and_pool(ratings_file: Path) -> None:
    found = evaluate_by_references(
        "custom", [1, 3], "rouge_l", data=ratings_file, pools=[None, "max", "min"], resamples=0
    )
    assert list(found.curves) == ["rouge_l", "rouge_l max", "rouge_l min"]
    firsts = [curve[0].values["pearson"] for curve in found.curves.values()]
    assert firsts == pytest.approx([firsts[0]] * 3)  # one reference is its own pool
    lasts = [curve[-1].values["pearson"] for curve in found.curves.values()]
    assert len(set(lasts)) > 1
    whole = evaluate(rated(), "rouge_l", pool="min", resamples=0)
    assert found.curves["rouge_l min"][1].values == whole.agreements["rouge_l"].values
    assert {each["pool"] for each in as_json(found)["evaluations"]} == {None, "max", "min"}


@pytest.mark.parametrize("counts", [[], [0], [2, -1], ["2"], [1.5]])
def test_invalid_numbers_of_references_are_refused(ratings_file: Path, counts: Any) -> None:
    with pytest.raises(InputError, match="numbers of references are whole numbers from 1 on"):
        evaluate_by_references("custom", counts, "bleu", data=ratings_file)


def test_unknown_pools_and_protocols_are_refused(ratings_file: Path) -> None:
    with pytest.raises(InputError, match="cannot pool by 'median'"):
        evaluate_by_references("custom", [1], "bleu", data=ratings_file, pools=["median"])
    with pytest.raises(InputError, match="no protocol 'mine'"):
        evaluate_by_references("custom", [1], "bleu", data=ratings_file, protocol="mine")


# --- all benchmarks ---


def test_survey_lists_absent_benchmarks(flickr8k: Path) -> None:
    started: list[str] = []
    found = survey(["bleu_1", "rouge_l"], data=flickr8k, started=started.append, resamples=0)
    assert list(found.evaluations) == ["flickr8k-expert"]
    assert started == ["flickr8k-expert"]
    assert set(found.absent) == set(PRESETS["standard"]) - {"flickr8k-expert", "custom"}
    assert all("get it from" in reason for reason in found.absent.values())
    alone = evaluate("flickr8k-expert", ["bleu_1", "rouge_l"], data=flickr8k, resamples=0)
    assert alone.agreements["bleu_1"].n == 15  # the pair with an own caption is dropped
    assert as_json(found)["evaluations"] == [as_json(alone)]
    text = str(found)
    assert "flickr8k-expert tau_c" in text and "left out: " in text
    assert f"{alone.agreements['rouge_l'].values['kendall_c']:.3f}" in text
    assert "0.323" in text  # what is published of ROUGE-L, in brackets


def test_survey_without_any_benchmark_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no benchmark's files are there; .*get it from"):
        survey("bleu", data=tmp_path)
    with pytest.raises(InputError, match="no protocol 'mine'"):
        survey("bleu", data=tmp_path, protocol="mine")


# --- time ---


def test_time_is_measured_metric_by_metric(ratings_file: Path) -> None:
    calls = []

    def slow(candidate: str, references: Sequence[str]) -> float:
        calls.append(candidate)
        return 0.0

    told: list[str] = []
    found = time_metrics("custom", ["bleu", slow], data=ratings_file, progress=told.append)
    assert told == ["bleu", "slow"] == [row.metric for row in found.rows]
    assert all(row.seconds > 0 and row.captions == 12 for row in found.rows)
    assert len(calls) == 13  # once to load what is loaded once, then all twelve
    assert [row["captions"] for row in as_json(found)["rows"]] == [12, 12]
    assert "microseconds each" in str(found)


# --- files of scores ---


@pytest.mark.parametrize("judgements", [rated(), preferred()], ids=["ratings", "pairs"])
@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_scores_come_back_in_the_order_of_the_judgements(
    tmp_path: Path, judgements: Preferences | Ratings, suffix: str
) -> None:
    write_judged(tmp_path / f"rows.{suffix}", judgements)
    scores = score_judged(judgements, "rouge_l").columns["rouge_l"]
    if scores.ndim == 2:
        ids = [f"{row}-{side}" for row in range(6) for side in (0, 1)]
    else:
        ids = [str(row) for row in range(12)]
    text = (tmp_path / f"rows.{suffix}").read_text()
    assert all(name in text for name in ids)
    backwards = {"id": ids[::-1], "mine": scores.ravel()[::-1].tolist()}
    write_columns(tmp_path / f"scores.{suffix}", backwards)
    back = read_judged_scores(tmp_path / f"scores.{suffix}", judgements)
    assert np.array_equal(back["mine"], scores)
    write_columns(tmp_path / f"few.{suffix}", {key: own[:-2] for key, own in backwards.items()})
    with pytest.raises(InputError, match=rf"no scores for id '{ids[0]}' \(2 of 12 are missing\)"):
        read_judged_scores(tmp_path / f"few.{suffix}", judgements)


def test_written_rows_are_those_that_the_protocol_keeps(ratings_file: Path, tmp_path: Path) -> None:
    left = judged("custom", data=ratings_file, protocol=Protocol(references=1))
    write_judged(tmp_path / "rows.jsonl", left)
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["candidate"] for row in rows] == rated().candidates
    assert [row["references"] for row in rows] == left.references
    assert {len(row["references"]) for row in rows} == {1}
