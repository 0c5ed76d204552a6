"""Learned metrics: NNEval and LCEval as they ship, and weights of one's own."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.meta import evaluate
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.network import new_network
from captious.metrics.learned.published import LCEVAL, NNEVAL, LcEval, NnEval, PublishedMetric
from captious.metrics.learned.weights import LearnedModel, Scaling
from captious.training.learned_metrics.model_card import card_path

SHIPPED = [NnEval(), LcEval()]
REFERENCES = [
    ["a dog runs on the beach", "a brown dog running along the sea"],
    ["two men sit on a bench", "a couple of men on a park bench"],
]


def a_model(path: Path, name: str = "mine", seed: int = 0) -> LearnedMetric:
    feature_set = FeatureSet.of(["bleu_1", "rouge_l"], name=name)
    network = new_network(2, (3,), seed)
    LearnedModel(feature_set, Scaling(np.zeros(2), np.ones(2)), network).save(path)
    return LearnedMetric(path)


def test_the_shipped_networks_are_the_papers() -> None:
    nneval, lceval = (metric.model() for metric in SHIPPED)
    assert nneval.feature_set == NNEVAL and nneval.network.widths == (8, 72, 72, 2)
    assert lceval.feature_set == LCEVAL and lceval.network.widths == (16, 12, 2)


@pytest.mark.parametrize("metric", SHIPPED, ids=lambda metric: metric.name)
def test_a_caption_of_the_image_scores_above_one_of_another(metric: PublishedMetric) -> None:
    right = captious.score(
        ["a dog is running on a beach", "two men on a bench"], REFERENCES, metric
    )
    wrong = captious.score(
        ["two men on a bench", "a dog is running on a beach"], REFERENCES, metric
    )
    assert (right.samples[metric.name] > 0.5).all()
    assert (wrong.samples[metric.name] < 0.5).all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:meteor. .* of more than 4,000 words")
@pytest.mark.parametrize("metric", SHIPPED, ids=lambda metric: metric.name)
@pytest.mark.parametrize("odd", ["", "\x00", "🙂🙂", "\ud800", "dog " * 5000])
def test_unusual_caption_changes_no_other_score(metric: PublishedMetric, odd: str) -> None:
    usual = ["a dog is running on a beach"]
    alone = captious.score(usual, REFERENCES[:1], metric).samples[metric.name]
    beside = captious.score([odd, *usual, odd], [[odd], *REFERENCES], metric)
    scores = beside.samples[metric.name]
    assert scores[1] == alone[0]
    assert ((scores >= 0) & (scores <= 1)).all()


def test_signatures_name_weights_and_features() -> None:
    signature = str(LcEval().signature())
    assert signature.startswith("lceval(weights=lceval@") and "variant=paper" in signature
    for part in (LcEval().model().network.fingerprint, "coco-val2014@", "parser=", "glove"):
        assert part in signature


def test_own_weights_are_named_after_their_feature_set(tmp_path: Path) -> None:
    mine = a_model(tmp_path / "mine.npz", "my own|set")
    other = a_model(tmp_path / "other.npz", "other", seed=1)
    assert mine.name == "my_own_set"
    result = captious.score(["a dog", "a bench"], REFERENCES, [mine, other])
    assert result.columns == ("my_own_set", "other")
    assert (result.samples["my_own_set"] != result.samples["other"]).all()
    assert NnEval(tmp_path / "mine.npz").name == "nneval"


def test_changed_weights_are_reloaded(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    first = a_model(path, seed=0).signature()
    assert a_model(path, seed=1).signature() != first


def test_missing_weights_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.npz"):
        LearnedMetric(tmp_path / "absent.npz")


def figure_on_card(metric: PublishedMetric, figure: str) -> float:
    """A figure that the model card of a metric's weights states."""
    card = card_path(metric.weights).read_text(encoding="utf-8")
    (value,) = re.findall(rf"^\| {re.escape(figure)} \| ([\d.]+) \|$", card, re.MULTILINE)
    return float(value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "benchmark", "protocol", "statistic"),
    [
        ("paper", "flickr8k-expert", "standard", "kendall_c"),
        ("published", "composite", "lceval", "kendall_b"),
    ],
)
def test_agreement_with_people_is_what_the_cards_say(
    shared: Path, variant: str, benchmark: str, protocol: str, statistic: str
) -> None:
    metrics = [NnEval(variant=variant), LcEval(variant=variant)]
    evaluation = evaluate(benchmark, metrics, data=shared / "data", protocol=protocol, resamples=0)
    for metric, row in zip(metrics, evaluation.agreements.rows, strict=True):
        stated = figure_on_card(metric, f"{statistic} on {benchmark} ({protocol})")
        assert row.values[statistic] == pytest.approx(stated, abs=5e-4)


def test_published_variants_reach_the_figures_of_lceval_s_paper() -> None:
    for metric, published in (
        (NnEval(variant="published"), 0.396),
        (LcEval(variant="published"), 0.418),
    ):
        actual = figure_on_card(metric, "kendall_b on composite (lceval)")
        assert actual == pytest.approx(published, abs=0.01)


@pytest.mark.parametrize(
    ("metric", "variant", "widths"),
    [
        (NnEval, "released", (8, 72, 72, 2)),
        (NnEval, "published", (8, 72, 72, 2)),
        (LcEval, "released", (16, 2)),
        (LcEval, "published", (16, 12, 2)),
    ],
)
def test_each_variant_has_weights_of_its_own(
    metric: type[Any], variant: str, widths: tuple[int, ...]
) -> None:
    chosen = metric(variant=variant)
    model = chosen.model()
    assert model.network.widths == widths
    assert model.feature_set.name == f"{metric.name}_{variant}"
    signature = str(chosen.signature())
    assert f"weights={metric.name}_{variant}@" in signature and f"variant={variant}" in signature
    with pytest.raises(InputError, match="unknown variant"):
        metric(variant="other")


@pytest.mark.parametrize(("metric", "features"), [(NnEval, NNEVAL), (LcEval, LCEVAL)])
def test_published_variant_reads_the_features_of_the_default(
    metric: type[Any], features: FeatureSet
) -> None:
    model = metric(variant="published").model()
    assert replace(model.feature_set, name=features.name) == features
    assert model.network.fingerprint != metric().model().network.fingerprint
