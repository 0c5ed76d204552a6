"""Weights that foretell a candidate's likeness to a reference that is held back."""

from __future__ import annotations

import numpy as np
import pytest

from captious.metrics.learned.captious import CAPTIOUS
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.training.nonnegative import nonnegative_least_squares
from captious.training.unseen_reference import (
    MAX_REFERENCES,
    RANKS,
    Calibration,
    build_trials,
    combine_similarities,
    compute_calibration,
    explained_variance,
    fit_model,
    nearest_images,
    other_image_trials,
)

THINGS = "dog cat horse bus train kite boat pizza bench giraffe".split()
PEOPLE = [
    [f"a {thing} {does}" for does in ("stands", "is there", "alone", "in the sun", "on grass")]
    for thing in THINGS
]
MACHINES = [[f"a picture of a {thing}", f"the {thing}"] for thing in THINGS]


def test_held_out_caption_is_neither_reference_nor_candidate() -> None:
    trials = build_trials(PEOPLE, MACHINES, CaptionSpace.load())
    numbers = set()
    for image, candidate, references, unseen, own in zip(
        trials.images,
        trials.candidates,
        trials.references,
        trials.held_out,
        trials.is_own,
        strict=True,
    ):
        assert unseen in PEOPLE[image]
        assert unseen not in references and unseen != candidate
        assert candidate not in references
        assert set(references) < set(PEOPLE[image])
        assert own == (candidate in PEOPLE[image] + MACHINES[image])
        numbers.add(len(references))
    assert numbers == set(range(1, MAX_REFERENCES + 1))


def test_a_seed_gives_the_same_trials() -> None:
    space = CaptionSpace.load()
    assert build_trials(PEOPLE, MACHINES, space, 3) == build_trials(PEOPLE, MACHINES, space, 3)
    assert build_trials(PEOPLE, MACHINES, space, 3) != build_trials(PEOPLE, MACHINES, space, 4)


def test_trials_need_no_machine_captions() -> None:
    trials = build_trials(PEOPLE, [[] for _ in PEOPLE], CaptionSpace.load())
    assert len(trials) == 3 * len(PEOPLE)
    assert sum(trials.is_own) == len(PEOPLE)


def test_other_images_captions_have_the_same_references() -> None:
    trials = other_image_trials(PEOPLE, CaptionSpace.load(), number=2)
    each = 1 + len(RANKS)
    for start in range(0, len(trials), each):
        assert trials.is_own[start : start + each] == [True] + [False] * len(RANKS)
        assert all(len(some) == 2 for some in trials.references[start : start + each])
        assert len({tuple(some) for some in trials.references[start : start + each]}) == 1
        assert trials.candidates[start] not in trials.references[start]
    assert trials.importance[trials.labels > 0].sum() == trials.importance[trials.labels == 0].sum()


def test_nearest_images_are_others() -> None:
    near = nearest_images([["a dog"], ["a cat"], ["dogs", "a dog"], ["a bus"]], CaptionSpace.load())
    assert near.shape == (4, 3)
    assert near[0, 0] == 2 and near[2, 0] == 0
    assert all(row not in near[row] for row in range(4))


def test_fitted_weights_are_non_negative() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(400, 3)) * [1, 10, 0.1]
    weights, constant = nonnegative_least_squares(features, features @ [2.0, 0.5, 3.0] + 1)
    assert weights == pytest.approx([2.0, 0.5, 3.0])
    assert constant == pytest.approx(1)
    weights, _ = nonnegative_least_squares(features, features @ [2.0, -0.5, 3.0])
    assert weights[1] == 0
    images = np.arange(400).tolist()
    assert explained_variance(features, features @ [2.0, 0.5, 3.0], images) == pytest.approx(1)
    assert explained_variance(rng.normal(size=(400, 3)), rng.normal(size=400), images) < 0.05


def test_similarities_are_weighted_equally() -> None:
    a, b = np.array([0.0, 1.0, 2.0, 5.0]), np.array([3.0, 1.0, 0.0, 4.0])
    single = combine_similarities(np.column_stack([a, b]))
    assert combine_similarities(np.column_stack([100 * a + 7, b])) == pytest.approx(single)
    assert single.std() == pytest.approx(1)


def test_calibration_error_of_known_probabilities() -> None:
    chances, labels = np.array([0.25, 0.25, 0.25, 0.25, 0.95]), np.array([0, 0, 0, 1, 1.0])
    found = Calibration.of(chances, labels, np.ones(5))
    assert [each.share for each in found.bins] == pytest.approx([0.8, 0.2])
    assert found.error == pytest.approx(0.2 * 0.05)


def test_model_predicts_similarity_and_probabilities() -> None:
    space = CaptionSpace.load()
    trials, chances = build_trials(PEOPLE, MACHINES, space), other_image_trials(PEOPLE, space)
    features = trials.features(CAPTIOUS)
    likeness = combine_similarities(trials.similarities(CAPTIOUS)[:, :3])
    model = fit_model(CAPTIOUS, features, likeness, chances)
    weights = np.diff(model.network.weights[0])[:, 0]
    assert (weights >= 0).all() and weights[0] > 0
    scores = model.scores(chances.features(CAPTIOUS))
    assert scores[chances.labels > 0].min() > scores[chances.labels == 0].max()
    assert compute_calibration(model, chances).error < 0.2
