"""Scores of judged captions: documents, pooling, whole systems, time, files of scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.io.formats import write_columns
from captious.meta import (
    Protocol,
    judged,
    time_metrics,
)
from captious.meta.judgements import Preferences, Ratings
from captious.meta.scoring import read_judged_scores, score_judged, score_systems, write_judged
from captious.metrics.base import Metric
from captious.metrics.cider.cider import Cider, CiderD
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.signature import Signature
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens
from tests.made_up.judged_captions import REFERENCES, preferred, rated
from tests.meta.as_json import as_json

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images


def plain(
    candidates: list[str],
    references: list[list[str]],
    metrics: Sequence[str | Metric] | str,
    **options: Any,
) -> dict[str, np.ndarray]:
    return captious.score(candidates, references, metrics=metrics, **options).samples


def with_other_references() -> Ratings:
    """Two captions of each image, each beside two of its three references."""
    ratings = rated()
    references = [
        own[:2] if row % 2 == 0 else own[1:] for row, own in enumerate(ratings.references)
    ]
    return Ratings(ratings.candidates, references, ratings.images, ratings.ratings, ratings.groups)


def test_an_image_is_one_document_however_many_captions_it_has() -> None:
    ratings = rated()
    by_image = score_judged(ratings, "cider_d").columns["cider_d"]
    scorer = captious.Scorer(REFERENCES, "cider_d")
    wanted = scorer.score(ratings.candidates, ratings.images).samples["cider_d"]
    assert np.array_equal(by_image, wanted)


def test_each_pair_is_a_document_where_the_protocol_says_so() -> None:
    ratings = rated()
    # Six rows of one image: its words are common among pairs, but not among images.
    rows = np.array([0, 1, 0, 1, 0, 1, 2, 4, 6, 8])
    some = ratings.take(rows)
    by_pair = score_judged(some, "cider_d", documents="pair").columns["cider_d"]
    wanted = plain(some.candidates, some.references, "cider_d")["cider_d"]
    assert np.array_equal(by_pair, wanted)
    by_image = score_judged(some, "cider_d", documents="image").columns["cider_d"]
    assert np.abs(by_pair - by_image).max() > 0.1


def test_frequencies_of_other_captions_where_the_protocol_says_so() -> None:
    ratings = with_other_references()
    scored = score_judged(ratings, "cider,cider_d(sigma=4)", documents="coco-val2014")
    assert scored.signature.count("df=coco-val2014@") == 2
    for metric in (Cider(df="coco-val2014"), CiderD(df="coco-val2014", sigma=4.0)):
        wanted = plain(ratings.candidates, ratings.references, [metric])[metric.name]
        assert np.array_equal(scored.columns[metric.name], wanted)
    # What names its own frequencies keeps them.
    own = DocumentFrequencies.collect(REFERENCES)
    kept = score_judged(ratings, [Cider(df=own)], documents="coco-val2014").columns["cider"]
    assert np.array_equal(kept, score_judged(ratings, "cider").columns["cider"])


def test_a_caption_is_tokenized_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenized: Counter[tuple[bool, str]] = Counter()
    build = Tokens.build

    def counted(analysis: Analysis) -> Tokens:
        tokenized.update((analysis.base is None, caption) for caption in analysis.captions)
        return build(analysis)

    monkeypatch.setattr(Tokens, "build", counted)
    score_judged(with_other_references(), "cider,cider_d(sigma=4),bleu,rouge_l")
    assert set(tokenized.values()) == {1}


def test_documents_do_not_matter_to_metrics_that_count_none() -> None:
    names = ["bleu", "rouge_l", "meteor"]
    ratings = rated()
    wanted = plain(ratings.candidates, ratings.references, names)
    for documents in ("image", "pair"):
        scored = score_judged(ratings, names, documents=documents).columns
        assert list(scored) == list(wanted)
        assert all(np.array_equal(scored[name], wanted[name]) for name in wanted)


@pytest.mark.parametrize("metric", ["cider", "cider_d"])
def test_an_image_whose_captions_have_different_references_is_one_document(metric: str) -> None:
    ratings = with_other_references()
    found = score_judged(ratings, metric)
    frequencies = DocumentFrequencies.collect(REFERENCES)
    wanted = plain(ratings.candidates, ratings.references, metric, df=frequencies)[metric]
    assert found.columns[metric] == pytest.approx(wanted, abs=1e-12)
    apart = plain(ratings.candidates, ratings.references, metric)[metric]
    assert np.abs(found.columns[metric] - apart).max() > 0.01
    assert Signature.parse(found.signature).documents == len(REFERENCES) < len(ratings)
    assert Signature.parse(score_judged(rated(), metric).signature).documents is None


def test_document_frequencies_of_the_user_are_used() -> None:
    ratings = with_other_references()
    found = score_judged(ratings, "cider_d", df="coco-val2014")
    wanted = plain(ratings.candidates, ratings.references, "cider_d", df="coco-val2014")
    assert np.array_equal(found.columns["cider_d"], wanted["cider_d"])
    assert "coco-val2014" in found.signature


@pytest.mark.parametrize("pool", ["max", "mean", "min"])
def test_pooling_is_scoring_against_single_references(pool: str) -> None:
    ratings = with_other_references()
    names = ["bleu_1", "rouge_l", "meteor", "cider_d"]
    found = score_judged(ratings, names, pool=pool)
    frequencies = DocumentFrequencies.collect(REFERENCES)
    reduce: Any = {"max": np.max, "mean": np.mean, "min": np.min}[pool]
    for row, (candidate, references) in enumerate(
        zip(ratings.candidates, ratings.references, strict=True)
    ):
        alone = [[reference] for reference in references]
        single = plain([candidate] * len(alone), alone, names, df=frequencies)
        for name in names:
            assert found.columns[name][row] == pytest.approx(reduce(single[name]), abs=1e-12)
    assert f"|pool:{pool}|" in found.signature


def test_pools_are_ordered_and_the_metrics_own_way_is_none_of_them() -> None:
    least, mean, most = (
        score_judged(rated(), "meteor", pool=pool).columns["meteor"]
        for pool in ("min", "mean", "max")
    )
    assert (least <= mean).all() and (mean <= most).all() and (least < most).any()
    own = score_judged(rated(), "meteor")
    assert own.columns["meteor"] == pytest.approx(most)  # METEOR takes the best reference itself
    assert "pool:" not in own.signature


def test_unknown_pool_is_an_error() -> None:
    with pytest.raises(InputError, match="cannot pool by 'median'; choose one of: max, mean, min"):
        score_judged(rated(), "bleu", pool="median")


@pytest.mark.parametrize("pool", [None, "max", "mean"])
def test_a_caption_without_references_is_refused(pool: str | None) -> None:
    ratings = rated()
    references = [*ratings.references]
    references[3] = []
    bare = Ratings(ratings.candidates, references, ratings.images, ratings.ratings, ratings.groups)
    with pytest.raises(InputError, match="no references; give at least one"):
        score_judged(bare, "bleu", pool=pool)


def test_preferences_have_two_scores_a_pair() -> None:
    pairs = preferred()
    found = score_judged(pairs, ["rouge_l", "cider_d"])
    flat = score_judged(rated(), ["rouge_l", "cider_d"])
    for name, scores in found.columns.items():
        assert scores.shape == (6, 2)
        assert np.array_equal(scores.ravel(), flat.columns[name])
    pooled = score_judged(pairs, "rouge_l", pool="min").columns["rouge_l"]
    assert pooled.shape == (6, 2) and (pooled <= found.columns["rouge_l"]).all()


def test_both_captions_of_a_pair_share_its_document() -> None:
    pairs = preferred()
    one_image = Preferences(
        pairs.pairs, pairs.references, ["all"] * 6, pairs.preferred, pairs.groups
    )
    by_pair = score_judged(one_image, "cider_d", documents="pair").columns["cider_d"]
    wanted = score_judged(pairs, "cider_d", documents="image").columns["cider_d"]
    assert np.array_equal(by_pair, wanted)
    # All references in one document: every word is in all documents there are.
    assert not score_judged(one_image, "cider_d").columns["cider_d"].any()


def test_a_function_of_ones_own_is_scored_and_pooled() -> None:
    def length(candidate: str, references: Sequence[str]) -> int:
        return max(map(len, references))

    ratings = rated()
    own = score_judged(ratings, length).columns["length"]
    assert own.tolist() == [max(map(len, references)) for references in ratings.references]
    least = score_judged(ratings, length, pool="min").columns["length"]
    assert least.tolist() == [min(map(len, references)) for references in ratings.references]


def test_systems_have_the_corpus_scores_of_score() -> None:
    ratings = rated(["good", "poor"] * 6)
    names = ["bleu", "cider_d", "rouge_l"]
    found = score_systems(ratings, names)
    for place, system in enumerate(("good", "poor")):
        rows = [row for row, group in enumerate(ratings.groups) if group == system]
        candidates = {ratings.images[row]: ratings.candidates[row] for row in rows}
        wanted = captious.score(candidates, REFERENCES, metrics=names).corpus
        assert {name: column[place] for name, column in found.columns.items()} == wanted
    assert all(column.shape == (2,) for column in found.columns.values())


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
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


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
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


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images
def test_written_rows_are_those_that_the_protocol_keeps(ratings_file: Path, tmp_path: Path) -> None:
    left = judged("custom", data=ratings_file, protocol=Protocol(references=1))
    write_judged(tmp_path / "rows.jsonl", left)
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["candidate"] for row in rows] == rated().candidates
    assert [row["references"] for row in rows] == left.references
    assert {len(row["references"]) for row in rows} == {1}
