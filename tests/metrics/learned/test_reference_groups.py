"""Many references are read a few at a time, and what comes of it does not depend on their order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import captious
from captious.metrics.learned.feature_files import parse_feature_set
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.network import new_network
from captious.metrics.learned.published import FEATURE_SETS, LCEVAL, MAX_REFERENCES
from captious.metrics.learned.reference_groups import deal_to_groups
from captious.metrics.learned.weights import LearnedModel, Scaling

COLUMNS = ["bleu_2", "rouge_l", "cider", "spice"]
WHOLE = FeatureSet.of(COLUMNS)
IN_THREES = FeatureSet("threes", WHOLE.features, most_references=3)
CANDIDATE = "a brown dog runs on the wet beach"
MANY = [
    "a dog runs along the beach",
    "the brown dog is on sand",
    "one wet dog near the sea",
    "a running animal at the sea side",
    "an animal with brown fur",
    "dogs like the beach",
    "two waves behind a dog",
]


@given(size=st.integers(2, 60), most=st.integers(1, 12))
def test_every_reference_is_dealt_and_never_twice_to_one_group(size: int, most: int) -> None:
    count = -(-size // most)
    if count < 2:
        return
    groups = [places.tolist() for places in deal_to_groups(size, count, most)]
    assert len(groups) == count
    assert all(len(set(places)) == most for places in groups)
    assert set().union(*groups) == set(range(size))


def test_neighbours_in_the_alphabet_go_to_different_groups() -> None:
    assert [places.tolist() for places in deal_to_groups(6, 2, 3)] == [[0, 2, 4], [1, 3, 5]]
    assert [places.tolist() for places in deal_to_groups(4, 2, 3)] == [[0, 2, 1], [1, 3, 0]]


def test_a_feature_of_many_references_is_its_mean_over_groups() -> None:
    ordered = sorted(MANY)
    groups = [[ordered[place] for place in places] for places in deal_to_groups(7, 3, 3)]
    apart = extract_features(WHOLE, [CANDIDATE] * 3, groups)
    together = extract_features(IN_THREES, [CANDIDATE], [MANY])
    assert together[0] == pytest.approx(apart.mean(axis=0), abs=1e-12)
    assert not np.allclose(together, extract_features(WHOLE, [CANDIDATE], [MANY]))


def test_few_references_are_read_together() -> None:
    few = [MANY[:3], MANY[3:5], MANY[5:6]]
    candidates = [CANDIDATE] * 3
    assert (
        extract_features(IN_THREES, candidates, few).tolist()
        == extract_features(WHOLE, candidates, few).tolist()
    )


def test_score_is_independent_of_reference_order_and_other_samples() -> None:
    alone = extract_features(IN_THREES, [CANDIDATE], [MANY])[0].tolist()
    shuffled = [MANY[place] for place in (3, 0, 6, 2, 5, 1, 4)]
    beside = extract_features(
        IN_THREES, ["a cat", CANDIDATE, "a dog"], [MANY[:2], shuffled, MANY[:5]]
    )
    assert beside[1].tolist() == alone
    assert beside[0].tolist() == extract_features(WHOLE, ["a cat"], [MANY[:2]])[0].tolist()


def test_pooled_features_are_pooled_within_groups() -> None:
    ordered = sorted(MANY)
    groups = [[ordered[place] for place in places] for places in deal_to_groups(7, 3, 3)]
    least = IN_THREES.with_pool("min", ["rouge_l"])
    apart = extract_features(WHOLE.with_pool("min", ["rouge_l"]), [CANDIDATE] * 3, groups)
    together = extract_features(least, [CANDIDATE], [MANY])
    assert together[0] == pytest.approx(apart.mean(axis=0), abs=1e-12)


def test_the_published_sets_read_five_at_most_and_say_so() -> None:
    for feature_set in FEATURE_SETS.values():
        assert feature_set.most_references == MAX_REFERENCES == 5
        assert parse_feature_set(feature_set.to_dict(), "test") == feature_set
    assert "most_references" not in WHOLE.to_dict()


def test_number_of_references_is_saved_and_in_signatures(tmp_path: Path) -> None:
    path = tmp_path / "threes.npz"
    scaling = Scaling(np.zeros(4), np.ones(4))
    LearnedModel(IN_THREES, scaling, new_network(4, (), 0)).save(path)
    metric = LearnedMetric(path)
    assert metric.model().feature_set.most_references == 3
    assert "most_references=3" in str(metric.signature())
    scores = [
        captious.score([CANDIDATE], [references], metric).samples["threes"][0]
        for references in (MANY, MANY[::-1])
    ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("most", [0, 2.5, "five"])
def test_invalid_number_of_references_is_an_error(most: object) -> None:
    with pytest.raises(captious.CaptiousError, match="most_references"):
        parse_feature_set({"feature": ["bleu_1"], "most_references": most}, "test")


def test_lceval_scores_with_many_references_are_unchanged() -> None:
    references = [f"{caption} {word}" for caption in MANY for word in "here there today".split()]
    few, many = (
        extract_features(LCEVAL, [CANDIDATE] * 2, [references[::5], references]),
        extract_features(FeatureSet("all", LCEVAL.features), [CANDIDATE], [references]),
    )
    at = LCEVAL.columns.index("ngram_precision_1")
    assert few[1, at] < many[0, at]  # the more references, the more words stand in one of them
