"""Training: it learns, keeps the best epoch, and goes on exactly where it was stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.meta.judgements import Ratings
from captious.meta.protocol import Protocol
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.weights import load_model
from captious.training.learned_metrics import validation as validation_module
from captious.training.learned_metrics.dataset import TrainingSet, build_training_set
from captious.training.learned_metrics.model_card import card_path, model_card, write_model_card
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE, NNEVAL_RECIPE, Recipe
from captious.training.learned_metrics.training import (
    HELD_OUT_ACCURACY,
    LabelledFeatures,
    train,
)
from captious.training.learned_metrics.validation import JudgedFeatures, Validation
from tests.made_up.captions_to_learn import machine, people

FEATURES = FeatureSet.of(["bleu_1", "rouge_l", "cider_d"], name="toy")
RECIPE = Recipe((6,), learning_rate=0.01, batch=16, epochs=25, seed=4)


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.fixture(scope="module")
def material() -> tuple[TrainingSet, np.ndarray]:
    built = build_training_set(people(), {"dull": machine()}, {"machine": 1}, per_image=2)
    return built, extract_features(FEATURES, built.candidates, built.references)


@pytest.fixture(scope="module")
def validation() -> Validation:
    human = people(20)
    images = list(human)
    candidates = [human[image][0] for image in images] + list(machine(20).values())
    ratings = np.array([[4.0, 3.0]] * 20 + [[1.0, 2.0]] * 20)
    judged = Ratings(
        candidates,
        [human[image][1:] for image in images] * 2,
        [*images, *images],
        ratings,
        ["all"] * 40,
    )
    return Validation.of(
        JudgedFeatures(FEATURES).of(judged), judged, Protocol(raters="mean"), "toy ratings"
    )


def same(one: Any, other: Any) -> Any:
    return one.curve == other.curve and all(
        (mine == theirs).all()
        for mine, theirs in zip(
            (*one.model.network.weights, *one.model.network.biases),
            (*other.model.network.weights, *other.model.network.biases),
            strict=True,
        )
    )


def test_network_learns_to_distinguish_human_captions(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    trained = train(FEATURES, features, built.is_human, validation, RECIPE)
    scores = trained.model.scores(features)
    assert scores[built.is_human].min() > scores[~built.is_human].max()
    assert trained.curve[-1]["loss"] < trained.curve[0]["loss"]
    assert trained.curve[-1]["accuracy"] > 0.9


def test_the_best_epoch_is_kept(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    trained = train(FEATURES, features, built.is_human, validation, RECIPE)
    taus = [point["tau"] for point in trained.curve]
    assert trained.best == int(np.argmax(taus)) + 1
    assert validation.agreement.of(trained.model.scores(validation.features)) == max(taus)
    assert trained.model.notes["tau"] == max(taus)


def test_patience_ends_training(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    impatient = Recipe((6,), learning_rate=0.01, batch=16, epochs=200, patience=3, seed=4)
    trained = train(FEATURES, features, built.is_human, validation, impatient)
    assert len(trained.curve) == trained.best + 3 < 200


@pytest.mark.parametrize("hidden", [(), (4,), (5, 3)])
def test_the_seed_decides(
    torch: ModuleType,
    material: tuple[TrainingSet, np.ndarray],
    validation: Validation,
    hidden: tuple[int, ...],
) -> None:
    built, features = material
    recipes = [Recipe(hidden, batch=16, epochs=3, seed=seed) for seed in (1, 1, 2)]
    one, again, other = (
        train(FEATURES, features, built.is_human, validation, recipe) for recipe in recipes
    )
    assert same(one, again)
    assert not same(one, other)
    assert one.model.network.widths == (3, *hidden, 2)


@pytest.mark.slow
def test_resumed_learned_metric_is_bit_identical(
    torch: ModuleType,
    material: tuple[TrainingSet, np.ndarray],
    validation: Validation,
    tmp_path: Path,
) -> None:
    built, features = material
    whole = train(FEATURES, features, built.is_human, validation, RECIPE)
    path = tmp_path / "checkpoint.npz"

    class StoppedError(Exception):
        pass

    def stop(at: Any) -> None:
        if at.epoch == 14:
            raise StoppedError

    with pytest.raises(StoppedError):
        train(
            FEATURES, features, built.is_human, validation, RECIPE, checkpoint=path, progress=stop
        )
    seen = []
    resumed = train(
        FEATURES,
        features,
        built.is_human,
        validation,
        RECIPE,
        checkpoint=path,
        progress=lambda at: seen.append(at.epoch),
    )
    assert seen[0] == 11  # the last checkpoint was after ten epochs
    assert same(whole, resumed)
    done = train(FEATURES, features, built.is_human, validation, RECIPE, checkpoint=path)
    assert same(whole, done)


def test_a_checkpoint_of_another_training_is_refused(
    torch: ModuleType,
    material: tuple[TrainingSet, np.ndarray],
    validation: Validation,
    tmp_path: Path,
) -> None:
    built, features = material
    path = tmp_path / "checkpoint.npz"
    short = Recipe((6,), epochs=1)
    train(FEATURES, features, built.is_human, validation, short, checkpoint=path)
    with pytest.raises(InputError, match="another training"):
        train(FEATURES, features + 1, built.is_human, validation, short, checkpoint=path)
    path.write_bytes(b"damaged")
    with pytest.raises(InputError, match="not a checkpoint"):
        train(FEATURES, features, built.is_human, validation, short, checkpoint=path)


def test_a_rated_caption_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counted(feature_set: FeatureSet, candidates: Any, references: Any, progress: Any) -> Any:
        asked.append(list(zip(candidates, references, strict=True)))
        return extract_features(feature_set, candidates, references, progress=progress)

    monkeypatch.setattr(validation_module, "extract_features", counted)
    human = people(5)
    texts, beside = [own[0] for own in human.values()], [own[1:] for own in human.values()]
    judged = Ratings(texts, beside, list(human), np.ones((5, 1)), ["all"] * 5)
    rated = JudgedFeatures(FEATURES)
    every, some = rated.of(judged), rated.of(judged.take(np.array([3, 1, 3])))
    assert every.tolist() == extract_features(FEATURES, texts, beside).tolist()
    assert some.tolist() == every[[3, 1, 3]].tolist()
    assert len(asked) == 1
    shorter = Ratings(texts[:1], [beside[0][:1]], ["x"], np.ones((1, 1)), ["all"])
    assert (
        rated.of(shorter).tolist()
        == extract_features(FEATURES, texts[:1], [beside[0][:1]]).tolist()
    )
    assert len(asked) == 2  # other references, other features


def test_captions_held_out_are_measured_and_change_nothing(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    alone = train(FEATURES, features, built.is_human, validation, RECIPE)
    held_out = LabelledFeatures(features[:40], ~built.is_human[:40])
    beside = train(FEATURES, features, built.is_human, validation, RECIPE, held_out=held_out)
    assert beside.model.network.fingerprint == alone.model.network.fingerprint
    for point, mine in zip(alone.curve, beside.curve, strict=True):
        assert 0 <= mine.pop(HELD_OUT_ACCURACY) <= 1
        assert mine == point
    scores = beside.model.scores(features[:40])
    right = float(((scores > 0.5) != built.is_human[:40]).mean())
    again = train(FEATURES, features, built.is_human, validation, RECIPE, held_out=held_out)
    assert again.best_point[HELD_OUT_ACCURACY] == right != again.best_point["accuracy"]
    labelled = LabelledFeatures(features, built.is_human)
    same = train(FEATURES, features, built.is_human, validation, RECIPE, held_out=labelled)
    assert all(point[HELD_OUT_ACCURACY] == point["accuracy"] for point in same.curve)
    with pytest.raises(InputError, match="labels"):
        wrong = LabelledFeatures(features[:3], built.is_human[:2])
        train(FEATURES, features, built.is_human, validation, RECIPE, held_out=wrong)


def test_weight_decay_shrinks_weights(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    sizes = []
    for l2 in (0.0, 1.0):
        recipe = Recipe((), learning_rate=0.01, batch=16, epochs=25, patience=1, l2=l2)
        trained = train(FEATURES, features, built.is_human, validation, recipe)
        sizes.append(sum(abs(matrix).sum() for matrix in trained.model.network.weights))
    assert sizes[1] < sizes[0]


def test_nan_loss_is_an_error(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    wild = Recipe((6, 6), learning_rate=1e9, batch=8, epochs=3)
    object.__setattr__(wild, "learning_rate", 1e200)  # no recipe may have it, so that it is sure
    with pytest.raises(InputError, match="lower the learning rate"):
        train(FEATURES, features, built.is_human, validation, wild)


def test_mistakes_are_named(
    torch: ModuleType, material: tuple[TrainingSet, np.ndarray], validation: Validation
) -> None:
    built, features = material
    with pytest.raises(InputError, match="human captions and negatives"):
        train(FEATURES, features, np.ones(len(features), bool), validation, RECIPE)
    with pytest.raises(InputError, match="labels"):
        train(FEATURES, features, built.is_human[1:], validation, RECIPE)
    with pytest.raises(InputError, match="3 features"):
        train(FEATURES, features[:, :2], built.is_human, validation, RECIPE)


def test_trained_metric_scores_captions(
    torch: ModuleType,
    material: tuple[TrainingSet, np.ndarray],
    validation: Validation,
    tmp_path: Path,
) -> None:
    built, features = material
    trained = train(FEATURES, features, built.is_human, validation, RECIPE)
    path = tmp_path / "toy.npz"
    trained.model.save(path)
    metric = LearnedMetric(path)
    result = captious.score(built.candidates, built.references, metric)
    assert result.columns == ("toy",)
    assert result.samples["toy"].tolist() == trained.model.scores(features).tolist()
    assert result.corpus["toy"] == pytest.approx(result.samples["toy"].mean())
    assert trained.model.network.fingerprint in result.signature
    assert load_model(path).notes["recipe"] == RECIPE.to_dict()


def test_model_card_contains_data_and_figures(
    torch: ModuleType,
    material: tuple[TrainingSet, np.ndarray],
    validation: Validation,
    tmp_path: Path,
) -> None:
    built, features = material
    trained = train(FEATURES, features, built.is_human, validation, RECIPE)
    text = model_card(trained, RECIPE, built.counts, "Made up.", {"tau_c on Composite": 0.4321})
    path = card_path(tmp_path / "toy.npz")
    write_model_card(path, text)
    assert path.name == "toy.md" and path.read_text(encoding="utf-8") == text
    for part in (
        "# toy",
        "3-6-2",
        "Made up.",
        f"| human | {built.counts['human']} |",
        "| learning_rate | 0.01 |",
        "toy ratings",
        "0.4321",
        trained.model.network.fingerprint,
    ):
        assert part in text
    assert "references, 5 are" not in text
    five = replace(trained.model, feature_set=replace(FEATURES, most_references=5))
    grouped = model_card(
        replace(trained, model=five), RECIPE, built.counts, "Made up.", limits=["Toys alone."]
    )
    assert "Of more than 5 references, 5 are read at a time." in grouped
    assert text.count("\n- ") + 1 == grouped.count("\n- ") and "\n- Toys alone.\n" in grouped


def test_recipes_are_the_papers_networks() -> None:
    assert NNEVAL_RECIPE.hidden == (72, 72)
    assert LCEVAL_RECIPE.hidden == (12,)


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ({"hidden": [3, 3, 3]}, "hidden"),
        ({"hidden": [0]}, "hidden"),
        ({"hidden": 3}, "mine"),
        ({"batch": 0}, "batch"),
        ({"epochs": 1.5}, "epochs"),
        ({"learning_rate": 0}, "learning_rate"),
        ({"l2": -1}, "l2"),
        ({"seed": -1}, "seed"),
        ({"momentum": 1}, "momentum"),
    ],
)
def test_mistakes_in_a_recipe_are_named(table: dict[str, float | list[int]], word: str) -> None:
    with pytest.raises(InputError, match=word) as caught:
        Recipe.of(table, "mine.toml")
    assert "mine.toml" in str(caught.value)


def test_a_recipe_from_a_file() -> None:
    assert Recipe.of({"hidden": [7], "epochs": 9}, "x") == Recipe((7,), epochs=9)
    assert Recipe.of(RECIPE.to_dict(), "x") == RECIPE
