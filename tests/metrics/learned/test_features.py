"""Feature sets: what is read, in which order, against which references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError, UnknownMetricError
from captious.metrics.declarations import FEATURE_GROUPS
from captious.metrics.learned import features as features_module
from captious.metrics.learned.feature_files import parse_feature_set, read_feature_set
from captious.metrics.learned.features import Feature, FeatureSet, extract_features
from captious.metrics.learned.published import (
    FEATURE_SETS,
    LCEVAL,
    LCEVAL_RELEASED,
    NNEVAL,
    NNEVAL_RELEASED,
    POOLED_COLUMNS,
    get_feature_set,
    select_groups,
)
from captious.metrics.learned.weights import Scaling
from tests.made_up.captions_to_learn import machine, people

CHEAP = FeatureSet.of(["bleu_1", "rouge_l", "cider_d", "unigram_recall"])


@pytest.fixture(scope="module")
def samples() -> tuple[dict[str, str], dict[str, list[str]]]:
    references = {image: captions[:4] for image, captions in people(12).items()}
    return machine(12), references


def test_published_sets_have_the_papers_features_in_order() -> None:
    assert NNEVAL.columns == (
        *("meteor", "wmd", "bleu_1", "bleu_2", "bleu_3", "bleu_4", "spice", "cider"),
    )
    assert LCEVAL.columns == LCEVAL_RELEASED.columns
    assert LCEVAL.columns[4:11] == (
        *("unigram_recall", "rouge_l", "meteor", "wmd", "spice", "cider", "mowe"),
    )
    assert len(LCEVAL) == 16
    assert {column for columns in FEATURE_GROUPS.values() for column in columns} == set(
        LCEVAL.columns
    )


def test_features_are_the_metrics_own_scores(
    samples: tuple[dict[str, str], dict[str, list[str]]],
) -> None:
    candidates, references = samples
    features = extract_features(LCEVAL, candidates, references)
    result = captious.score(candidates, references, LCEVAL.columns, df="coco-val2014")
    for place, column in enumerate(LCEVAL.columns):
        assert features[:, place].tolist() == result.samples[column].tolist()


def test_a_samples_features_do_not_depend_on_the_others(
    samples: tuple[dict[str, str], dict[str, list[str]]],
) -> None:
    candidates, references = samples
    together = extract_features(NNEVAL, candidates, references)
    for row, image in enumerate(candidates):
        alone = extract_features(NNEVAL, [candidates[image]], [references[image]])
        assert alone[0].tolist() == together[row].tolist()


@pytest.mark.parametrize(("pool", "of"), [("mean", np.mean), ("min", np.min)])
def test_pooled_features_are_scores_against_one_reference_at_a_time(
    samples: tuple[dict[str, str], dict[str, list[str]]], pool: str, of: Any
) -> None:
    candidates, references = samples
    pooled = extract_features(CHEAP.with_pool(pool, ["rouge_l", "cider_d"]), candidates, references)
    whole = extract_features(CHEAP, candidates, references)
    single = [
        extract_features(CHEAP, [candidates[image]] * len(own), [[reference] for reference in own])
        for image, own in references.items()
    ]
    by_hand = np.array([of(scores, axis=0) for scores in single])
    assert pooled[:, [1, 2]] == pytest.approx(by_hand[:, [1, 2]], abs=1e-12)
    assert pooled[:, [0, 3]].tolist() == whole[:, [0, 3]].tolist()
    assert not np.allclose(pooled[:, 1], whole[:, 1])


def test_the_appendix_pools_the_four_families_alone() -> None:
    pooled = LCEVAL.with_pool("min", POOLED_COLUMNS)
    left = [feature.column for feature in pooled.features if feature.pool == "max"]
    assert left == ["rouge_l", "meteor", "wmd", "spice", "cider"]


def test_fixed_scaling_is_the_released_codes() -> None:
    scaling = Scaling.of(LCEVAL_RELEASED, np.empty((0, 16)))
    row = np.full((1, 16), 0.5)
    scaled = dict(zip(LCEVAL.columns, scaling.apply(row)[0], strict=True))
    assert scaled["cider"] == pytest.approx(0.05)
    assert scaled["mowe"] == pytest.approx(0.75)
    assert scaled["meteor"] == 0.5
    assert NNEVAL_RELEASED.scaling == "fixed"


def test_fitted_scaling_brings_training_features_to_minus_one_and_one() -> None:
    training = np.array([[0.0, 3.0], [10.0, 3.0], [5.0, 3.0]])
    scaling = Scaling.of(FeatureSet.of(["bleu_1", "bleu_2"]), training)
    assert scaling.apply(training).tolist() == [[-1, 0], [1, 0], [0, 0]]
    assert scaling.apply(np.array([[20.0, 7.0]])).tolist() == [[3, 0]]


def test_groups_combine_in_lcevals_order() -> None:
    both = select_groups(["syntactic", "semantic"])
    assert both.columns == tuple(
        column
        for column in LCEVAL.columns
        if column in FEATURE_GROUPS["semantic"] + FEATURE_GROUPS["syntactic"]
    )
    assert get_feature_set("lexical+semantic+syntactic").columns == LCEVAL.columns
    assert get_feature_set("nneval") is NNEVAL


def test_cider_d_replaces_plain_cider() -> None:
    for name in ("nneval", "lceval_released", "lexical+semantic"):
        plain, other = get_feature_set(name), get_feature_set(f"{name}(cider=cider_d)")
        assert get_feature_set(f"{name}(cider=cider)") == plain
        changed = [
            (mine, theirs)
            for mine, theirs in zip(plain.features, other.features, strict=True)
            if mine != theirs
        ]
        (pair,) = changed
        assert [each.column for each in pair] == ["cider", "cider_d"]
        assert all(dict(each.options)["df"] == "coco-val2014" for each in pair)
        assert other.name == f"{plain.name}_cider_d"
    for wrong in ("nneval(cider=spice)", "nneval(df=x)", "nneval(cider"):
        with pytest.raises(InputError):
            get_feature_set(wrong)


def test_features_are_computed_in_batches(
    samples: tuple[dict[str, str], dict[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = extract_features(CHEAP, *samples)
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(features_module, "SAMPLES_PER_BATCH", 5)
    apart = extract_features(
        CHEAP, *samples, progress=lambda done, total: told.append((done, total))
    )
    assert apart.tolist() == together.tolist()
    assert told == [(5, 12), (10, 12), (12, 12)]


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_feature_sets_are_unchanged_by_save_and_load(name: str) -> None:
    feature_set = FEATURE_SETS[name]
    assert parse_feature_set(feature_set.to_dict(), "test") == feature_set


def test_own_feature_set_from_a_file(
    tmp_path: Path, samples: tuple[dict[str, str], dict[str, list[str]]]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        """
        scaling = "fixed"
        pool = "mean"
        [[feature]]
        column = "rouge_l"
        [[feature]]
        column = "cider_d"
        options = { sigma = 3.0 }
        pool = "max"
        divisor = 10
        """
    )
    feature_set = read_feature_set(path)
    assert feature_set.name == "mine"
    assert feature_set.features == (
        Feature("rouge_l", pool="mean"),
        Feature("cider_d", (("sigma", 3.0),), divisor=10),
    )
    wide = extract_features(FeatureSet.of(["cider_d"]), *samples)
    assert extract_features(feature_set, *samples)[:, 1].sum() < wide[:, 0].sum()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("feature = [", "TOML"),
        ("feature = ['bleu_9']", "bleu_9"),
        ("features = ['bleu_1']", "features"),
        ("feature = []", "no features"),
        ("feature = ['bleu_1', 'bleu_1']", "twice"),
        ("scaling = 'log'\nfeature = ['bleu_1']", "log"),
        ("pool = 'median'\nfeature = ['bleu_1']", "median"),
        ("[[feature]]\npool = 'max'", "column"),
        ("[[feature]]\ncolumn = 'bleu_1'\ndivisor = 0", "divisor"),
        ("[[feature]]\ncolumn = 'bleu_1'\ndivisor = 'x'", "numbers"),
        ("[[feature]]\ncolumn = 'bleu_1'\noptions = { n = 2 }", "no parameter 'n'"),
        ("[[feature]]\ncolumn = 'bleu_1'\nwidth = 2", "width"),
    ],
)
def test_mistakes_in_a_file_are_named(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=word) as caught:
        read_feature_set(path)
    assert "wrong.toml" in str(caught.value)


def test_document_frequencies_are_never_the_references_own() -> None:
    assert dict(Feature("spider").to_dict()["options"]) == {}
    metric: Any = Feature("spider").metric()
    assert metric.df == "coco-val2014"
    with pytest.raises(InputError, match="document frequencies"):
        Feature("cider", (("df", None),))


def test_unknown_names_are_errors() -> None:
    with pytest.raises(UnknownMetricError, match="blue"):
        FeatureSet.of(["blue"])
    with pytest.raises(InputError, match="no feature set"):
        get_feature_set("lexical+lyrical")
    with pytest.raises(InputError, match="features: a list"):
        FeatureSet.of("bleu_1")
    with pytest.raises(InputError, match="no group"):
        select_groups(["lyrical"])
