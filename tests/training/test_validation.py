"""Validation: by ratings, by preferences, and by images held out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta.evaluation import evaluate
from captious.meta.judgements import Preferences, Ratings, Unnamed
from captious.meta.protocol import Protocol
from captious.meta.task import read_task
from captious.metrics.learned.features import FeatureSet
from captious.training.learned_metrics.dataset import (
    MAX_HELD_OUT,
    TrainingSet,
    build_training_set,
    hold_out_images,
)
from captious.training.learned_metrics.overlap import Overlap
from captious.training.learned_metrics.validation import (
    PAIR_ACCURACY,
    TAU,
    JudgedFeatures,
    Validation,
)
from tests.made_up.captions_to_learn import machine, people

FEATURES = FeatureSet.of(["bleu_1", "rouge_l"], name="toy")
SCORES = np.array([0.1, 0.4, 0.4, 0.2, 0.9, 0.3, 0.5, 0.5])


def ratings() -> Ratings:
    return Ratings(
        [f"caption {row}" for row in range(8)],
        [["a reference"]] * 8,
        [row // 2 for row in range(8)],
        np.array([[1.0, 2.0]] * 3 + [[4.0, np.nan]] * 3 + [[3.0, 2.0]] * 2),
        ["all"] * 8,
    )


def preferences() -> Preferences:
    return Preferences(
        [("a dog", "a cat"), ("a bird", "a dog"), ("a", "b"), ("c", "d")],
        [["a dog runs"]] * 4,
        ["x", "x", "y", "z"],
        np.array([0, 0, 1, 0]),
        ["one", "one", "one", "other"],
    )


def agreement_in_meta(judged: Ratings | Preferences, scores: np.ndarray, statistic: str) -> float:
    shaped = scores if isinstance(judged, Ratings) else scores.reshape(-1, 2)
    rows = evaluate(read_task(judged), scores={"mine": shaped}, resamples=0).agreements.rows
    return float(rows[0].values[statistic])


@pytest.mark.parametrize(
    ("judged", "measure", "statistic"),
    [(ratings(), TAU, "kendall_b"), (preferences(), PAIR_ACCURACY, "mean")],
)
def test_agreement_is_that_of_captious_meta(
    judged: Ratings | Preferences, measure: str, statistic: str
) -> None:
    task = read_task(judged)
    validation = Validation.of(np.zeros((8, 2)), task.judgements, task.protocol, "mine")
    assert validation.measure == measure
    expected = agreement_in_meta(judged, SCORES, statistic)
    assert validation.agreement.of(SCORES) == pytest.approx(expected, abs=1e-12)
    assert 0 < expected < 1


def test_the_best_feature_is_named() -> None:
    judged = preferences()
    columns = np.stack([np.tile([0.0, 1.0], 4), np.tile([1.0, 0.0], 4)], axis=1)
    validation = Validation.of(columns, judged, Protocol(statistic="accuracy"), "mine")
    best = validation.best_feature(FEATURES)
    assert best.column == "rouge_l"
    assert best.value == pytest.approx((2 / 3 + 1) / 2)


def test_a_feature_that_falls_with_quality_is_reversed() -> None:
    features = FeatureSet.of(["bleu_1", "hallucination"], name="toy")
    judged = preferences()
    columns = np.stack([np.zeros(8), np.tile([0.0, 1.0], 4)], axis=1)
    validation = Validation.of(columns, judged, Protocol(statistic="accuracy"), "mine")
    assert validation.best_feature(features).column == "hallucination"


def test_features_of_pairs_are_those_of_both_captions() -> None:
    judged = preferences()
    rows = JudgedFeatures(FEATURES).of(judged)
    assert rows.shape == (8, 2)
    assert rows[0].tolist() == rows[3].tolist() != rows[1].tolist()  # "a dog", beside the same


def test_judged_images_without_names_leave_no_image_out() -> None:
    unnamed = Ratings(["a dog"], [["the dog"]], [Unnamed(7)], np.ones((1, 1)), ["all"])
    overlap = Overlap.with_judgements([unnamed])
    assert not overlap.has_image(7) and overlap.has_text(["The dog."])
    named = Ratings(["a dog"], [["the dog"]], [7], np.ones((1, 1)), ["all"])
    assert Overlap.with_judgements([named]).has_image("7")


def test_one_image_in_ten_is_held_out_whether_captioned_or_not() -> None:
    human = people(100)
    captioned = dict(list(machine(100).items())[:30])
    learned, held_out = hold_out_images(human, {"m": captioned}, 4, seed=0)
    assert len(held_out) == 10 and len(learned) == 90
    assert {**learned, **held_out}.keys() == human.keys()
    assert sum(image in captioned for image in held_out) == 3
    again, other = (hold_out_images(human, {"m": captioned}, 4, seed)[1] for seed in (0, 1))
    assert list(again) == list(held_out) != list(other)


def test_at_least_two_images_are_held_out_and_not_too_many() -> None:
    few = {f"i{n}": ["a", "b"] for n in range(20)}
    machines = {"m": {f"i{n}": ["a dog"] for n in range(5)}}
    _, held_out = hold_out_images(few, machines, 1, seed=0)
    assert len(held_out) == 4 and sum(image in machines["m"] for image in held_out) == 2
    many = {n: ["a", "b"] for n in range(20 * MAX_HELD_OUT)}
    assert len(hold_out_images(many, {}, 1, seed=0)[1]) == MAX_HELD_OUT


def test_too_few_images_are_an_error() -> None:
    human = {**people(19), **{f"short{n}": ["one caption"] for n in range(50)}}
    with pytest.raises(InputError, match=r"19 of 69 images have 5 captions"):
        hold_out_images(human, {}, 4, seed=0)


def paired(negatives: Sequence[str]) -> Preferences:
    human = ["a dog runs", "a cat sleeps"]
    return TrainingSet(
        ["i", "i", "i", "i"],
        [*human, *negatives],
        [["the dog is running"], ["the cat is asleep"], ["x"], ["y"]],
        ["human", "human", "m", "word_permutation"],
    ).as_preferences()


def test_human_captions_are_paired_with_negatives_of_their_image() -> None:
    pairs = paired(["a bird", "sleeps cat a"])
    assert pairs.pairs == [("a dog runs", "a bird"), ("a cat sleeps", "sleeps cat a")]
    assert pairs.references == [["the dog is running"], ["the cat is asleep"]]
    assert pairs.groups == ["m", "word_permutation"]
    assert pairs.preferred.tolist() == [0, 0]


def test_negatives_that_people_wrote_make_no_pair() -> None:
    assert paired(["The dog is running!", "a bird"]).pairs == [("a cat sleeps", "a bird")]
    assert paired(["A dog runs.", "a bird"]).pairs == [("a cat sleeps", "a bird")]


def test_each_pair_is_of_one_image() -> None:
    built = build_training_set(people(), {"m": machine()}, {"machine_other": 1}, per_image=2)
    pairs = built.as_preferences()
    assert len(pairs) == 60
    for image, (caption, _), references in zip(
        pairs.images, pairs.pairs, pairs.references, strict=True
    ):
        own = people()[str(image)]
        assert caption in own and set(references) <= set(own) - {caption}
