"""Metrics put through judgements in memory, in files, and with scores from elsewhere."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta import Evaluation, Preferences, Protocol, Ratings, evaluate, judged
from captious.meta.agreement import agree
from captious.meta.benchmarks.coco import MEASURES
from captious.meta.judgements import by_measure
from captious.meta.presets import preset
from captious.meta.scoring import score_judged
from tests.made_up.judged_captions import CANDIDATES, RATINGS, REFERENCES, preferred, rated
from tests.meta.as_json import as_json

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images

METRICS = ["bleu_1", "rouge_l", "cider_d"]
CORRELATIONS = {"kendall_a", "kendall_b", "kendall_c", "pearson", "spearman"}


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_ratings_in_memory() -> None:
    found = evaluate(rated(), METRICS, resamples=50)
    scores = score_judged(rated(), METRICS).columns
    wanted = agree(scores, rated(), Protocol(), resamples=50)
    assert [row.metric for row in found.agreements.rows] == METRICS
    for row in wanted.rows:
        assert found.agreements[row.metric].values == row.values
        assert found.agreements[row.metric].interval("pearson") == row.interval("pearson")
    assert found.statistic == "kendall_c"
    assert (found.agreements["bleu_1"].n, found.benchmark) == (24, "custom")


def test_the_documented_keys_of_ratings() -> None:
    payload = as_json(evaluate(rated(), METRICS, resamples=20, seed=3))
    assert {"benchmark", "protocol", "rows"} <= set(payload)
    assert payload["protocol"] == {**Protocol().to_dict()}
    assert (payload["resamples"], payload["seed"]) == (20, 3)
    for row in payload["rows"]:
        assert set(row) >= {"metric", "n", "ties", "published"} | CORRELATIONS
        assert all(-1 <= row[name] <= 1 for name in CORRELATIONS)
        low, high = row["interval"]["kendall_c"]
        assert low <= high
        assert row["published"] is None  # nobody published these captions
    assert [row["metric"] for row in payload["rows"]] == METRICS


def test_the_documented_keys_of_pairs() -> None:
    payload = as_json(evaluate(preferred(), METRICS, resamples=20))
    for row in payload["rows"]:
        assert set(row) >= {"metric", "accuracy", "n", "ties", "published"}
        assert set(row["accuracy"]) == {"HM", "MM", "mean"}
        assert row["accuracy"]["mean"] == pytest.approx(
            (row["accuracy"]["HM"] + row["accuracy"]["MM"]) / 2
        )
        assert not CORRELATIONS & set(row)
        assert row["n"] == 6
    assert payload["statistic"] == "accuracy"


def test_accuracy_by_hand() -> None:
    def longer(candidate: str, references: Sequence[str]) -> int:
        return len(candidate.split())

    values = evaluate(preferred(), longer, resamples=0).agreements["longer"].values
    # Words: 6:6, 6:5, 5:5 are a tie, a win and a tie; 6:5 wins, 6:4 loses to the second, 6:4 wins.
    lengths = [[len(caption.split()) for caption in two] for two in CANDIDATES.values()]
    assert lengths == [[6, 6], [6, 5], [5, 5], [6, 5], [6, 4], [6, 4]]
    assert values == pytest.approx({"HM": 2 / 3, "MM": 2 / 3, "mean": 2 / 3})
    first = evaluate(preferred(), longer, protocol=Protocol(ties="first"), resamples=0)
    assert first.agreements["longer"].values["HM"] == 1.0


@pytest.mark.parametrize("protocol", ["standard", Protocol(statistic="pearson")])
def test_pairs_have_accuracy_not_correlation(protocol: Protocol | str) -> None:
    found = evaluate(preferred(), "bleu_1", protocol=protocol, resamples=0)
    assert found.protocol.statistic == "accuracy"
    assert "accuracy, ties one half" in str(found) and "Kendall" not in str(found)


def test_ratings_have_no_accuracy() -> None:
    with pytest.raises(InputError, match="accuracy is of preferences"):
        evaluate(rated(), "bleu_1", protocol=Protocol(statistic="accuracy"))


def test_undefined_values_are_null_in_json() -> None:
    def constant(candidate: str, references: Sequence[str]) -> float:
        return 1.0

    found = evaluate(rated(), [constant, "bleu_1"], resamples=20)
    payload = as_json(found)["rows"][0]
    assert payload["kendall_b"] is None and payload["interval"]["kendall_b"] == [None, None]
    assert payload["ties"] == 1.0
    table = str(found).splitlines()
    lines = [line.split() for line in table if line.startswith(("constant", "bleu_1"))]
    assert [line[0] for line in lines] == ["bleu_1", "constant"]  # the undefined one comes last
    as_json(evaluate(rated(), "bleu_1", resamples=0))


def test_a_file_of_ratings(ratings_file: Path) -> None:
    found = evaluate("custom", METRICS, data=ratings_file, resamples=0)
    wanted = evaluate(rated(), METRICS, resamples=0)
    assert as_json(found) == as_json(wanted)
    read = judged("custom", data=ratings_file)
    assert isinstance(read, Ratings) and read.candidates == rated().candidates


def test_a_file_of_pairs(tmp_path: Path) -> None:
    pairs = preferred()
    rows = [
        {"candidates": two, "references": references, "preferred": int(side), "group": group}
        for two, references, side, group in zip(
            pairs.pairs, pairs.references, pairs.preferred, pairs.groups, strict=True
        )
    ]
    path = write_rows(tmp_path / "pairs.jsonl", rows)
    found = evaluate("custom", METRICS, data=path, resamples=0)
    assert isinstance(judged("custom", data=path), Preferences)
    assert as_json(found) == as_json(evaluate(pairs, METRICS, resamples=0))


def test_function_that_returns_the_ratings_agrees_fully() -> None:
    said = {c: float(np.mean(r)) for c, r in zip(rated().candidates, RATINGS, strict=True)}

    def oracle(candidate: str, references: Sequence[str]) -> float:
        assert references in REFERENCES.values()
        return said[candidate]

    by_mean = Protocol(raters="mean", statistic="kendall_b")
    found = evaluate(rated(), ["bleu_1", oracle], protocol=by_mean, resamples=100)
    values = found.agreements["oracle"].values
    assert [values[name] for name in ("kendall_b", "pearson", "spearman")] == pytest.approx([1] * 3)
    assert found.agreements["bleu_1"].values["kendall_b"] < 1
    best = [line for line in str(found).splitlines() if line.startswith(("oracle", "bleu_1"))]
    assert best[0].startswith("oracle")


def test_scores_computed_elsewhere() -> None:
    scores = score_judged(rated(), "rouge_l").columns["rouge_l"]
    beside = evaluate(rated(), ["rouge_l"], scores={"theirs": scores.tolist()}, resamples=30)
    own, theirs = beside.agreements["rouge_l"], beside.agreements["theirs"]
    assert own.values == theirs.values and own.interval("pearson") == theirs.interval("pearson")
    alone = evaluate(rated(), scores={"theirs": scores}, resamples=30)
    assert [row.metric for row in alone.agreements.rows] == ["theirs"]  # none of ours unasked
    assert alone.agreements["theirs"].values == theirs.values
    pairs = score_judged(preferred(), "rouge_l").columns["rouge_l"]
    found = evaluate(preferred(), ["rouge_l"], scores={"theirs": pairs}, resamples=0).agreements
    assert found["theirs"].values == found["rouge_l"].values


@pytest.mark.parametrize(
    ("judgements", "scores", "message"),
    [
        (rated(), np.ones(11), r"mine: scores of shape \(11,\); give one, \(12,\)"),
        (preferred(), np.ones(12), r"mine: scores of shape \(12,\); give two a pair, \(6, 2\)"),
        (rated(), [math.nan] * 12, "mine: the score of row 0 is nan"),
    ],
)
def test_scores_that_do_not_fit(
    judgements: Preferences | Ratings, scores: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(judgements, scores={"mine": scores})


def test_parts_are_the_rows_by_themselves() -> None:
    groups = ["human", "machine/graph", "human", "machine/neural"] * 3
    found = evaluate(rated(groups), METRICS, protocol=Protocol(documents="pair"), resamples=20)
    assert list(found.parts) == ["human", "machine", "machine/graph", "machine/neural"]
    rows = np.array([row for row, group in enumerate(groups) if group.startswith("machine")])
    scores = {name: column[rows] for name, column in found.scores.items()}
    wanted = agree(scores, rated(groups).take(rows), Protocol(), resamples=0)
    for row in wanted.rows:
        assert found.parts["machine"][row.metric].values == row.values
    payload = as_json(found)["parts"]
    assert payload["human"][0]["n"] == 12 and payload["machine/graph"][0]["n"] == 6
    assert "tau_c by part" in str(found)
    assert evaluate(rated(), METRICS, resamples=0).parts == {}  # one part is the whole


def test_letters_separate_metrics_that_differ() -> None:
    rng = np.random.default_rng(0)
    said = rng.permutation(200).astype(float)
    many = Ratings(
        ["a dog"] * 200, [["a cat"]] * 200, list(range(200)), said[:, None], ["all"] * 200
    )
    scores = {"good": said, "same": 2 * said + 1, "noise": rng.permutation(200).astype(float)}
    found = evaluate(many, scores=scores, resamples=200)
    assert found.letters["good"] == found.letters["same"] != found.letters["noise"]
    payload = as_json(found)
    assert {row["metric"]: row["letters"] for row in payload["rows"]} == found.letters
    assert payload["differences"]["metrics"][-1] == "noise"
    assert "share a letter" in str(found)


def test_one_metric_or_no_resamples_have_no_letters() -> None:
    for found in (
        evaluate(rated(), "rouge_l", resamples=20),
        evaluate(rated(), METRICS, resamples=0),
    ):
        assert found.letters == {} and found.differences is None
        assert as_json(found)["differences"] is None
        assert "share a letter" not in str(found)


def test_all_formats_show_the_same_figure() -> None:
    found = evaluate(rated(), METRICS, resamples=20)
    shown = f"{found.agreements['cider_d'].values['kendall_c']:.3f}"
    assert shown in str(found)
    assert shown in found.to_text("markdown") and "| cider_d" in found.to_text("markdown")
    assert shown in found.to_text("latex") and "tabular" in found.to_text("latex")
    assert json.loads(found.to_text("json")) == as_json(found)
    assert Protocol().describe() in str(found) and found.signature in str(found)


def test_invalid_evaluations_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"flickr8k-expert: name the folder .* come from .*https://"
    ):
        evaluate("flickr8k-expert", METRICS)
    with pytest.raises(InputError, match="no benchmark 'flickr'"):
        evaluate("flickr", METRICS, data=".")
    with pytest.raises(InputError, match="no protocol 'mine'"):
        evaluate(rated(), METRICS, protocol="mine")
    with pytest.raises(InputError, match="'clipscore' says nothing of 'custom'"):
        evaluate(rated(), METRICS, protocol="clipscore")
    with pytest.raises(InputError, match="has the option 'sysstems'"):
        evaluate(rated(), METRICS, sysstems=3)


SAID = {"A": [0.1, 0.2, 3, 0.4, 0.9], "B": [0.2, 0.3, 4, 0.5, 0.8], "C": [0.4, 0.1, 5, 0.6, 0.7]}


def test_systems_are_one_point_each(tmp_path: Path) -> None:
    entries = [
        {"team": {"name": team}, "results": {f"q{i}": said for i, said in enumerate(five, 1)}}
        for team, five in SAID.items()
    ]
    (tmp_path / "cap_challenge2015.json").write_text(json.dumps(entries))
    captions = [
        {"image_id": number, "caption": caption}
        for number, own in enumerate(REFERENCES.values())
        for caption in own
    ]
    (tmp_path / "captions_val2014.json").write_text(json.dumps({"annotations": captions}))
    (tmp_path / "systems_2015").mkdir()
    texts = {"A": "a car", "B": "a dog on a beach", "C": None}
    for team, text in texts.items():
        results = [
            {"image_id": number, "caption": text or good}
            for number, (good, _) in enumerate(CANDIDATES.values())
        ]
        (tmp_path / "systems_2015" / f"{team}.json").write_text(json.dumps(results))
    found = evaluate("coco-2015", ["bleu_1"], data=tmp_path, resamples=50)
    assert list(found.parts) == ["M1", "M2", "M3", "M4", "M5"]
    assert found.agreements is found.parts["M1"] and found.first_part == "M1"
    scores = found.scores["bleu_1"]
    assert scores.shape == (3,) and scores[2] > scores[1] > scores[0]
    for place, measure in enumerate(found.parts):
        said = [five[place] for five in SAID.values()]
        assert found.parts[measure]["bleu_1"].values["pearson"] == pytest.approx(
            np.corrcoef(scores, said)[0, 1]
        )
    assert found.agreements["bleu_1"].n == 3
    assert "Pearson M1" in str(found) and str(found).startswith("coco-2015: 3 systems")
    as_json(found)


@pytest.mark.slow
def test_systems_have_p_values_and_intervals_measure_by_measure() -> None:
    stats = pytest.importorskip("scipy.stats")
    protocol = preset("lceval", "coco-2015")
    people = np.random.default_rng(1).normal(size=(12, 5))
    scores = people[:, 0] + np.random.default_rng(2).normal(size=12)
    teams = [str(team) for team in range(12)]
    measures = by_measure(Ratings(teams, [["a"]] * 12, list(teams), people, teams), MEASURES)
    parts = {name: agree({"x": scores}, part, protocol) for name, part in measures.items()}
    found = Evaluation("coco-2015", protocol, parts["M1"], "", parts)
    for place, (name, part) in enumerate(parts.items()):
        known = stats.pearsonr(scores, people[:, place])
        (row,) = part.rows
        assert row.values["pearson"] == pytest.approx(known.statistic)
        assert found.p_value(row) == pytest.approx(known.pvalue)
        (kept,) = found.to_dict()["parts"][name]
        assert kept["p_value"] == pytest.approx(known.pvalue)
        low, high = row.interval("pearson")
        line = f"{name} x {known.statistic:.3f} {low:.3f} to {high:.3f} {known.pvalue:.3f} -"
        assert line in [" ".join(each.split()) for each in str(found).splitlines()]
    (constant,) = agree({"x": np.ones(12)}, measures["M1"], protocol, resamples=0).rows
    assert found.p_value(constant) is None
    of_captions = evaluate(rated(), METRICS, resamples=0)
    assert of_captions.p_value(of_captions.agreements.rows[0]) is None
