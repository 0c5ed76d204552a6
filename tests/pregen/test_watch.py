"""Meter, adapters and watch, with NumPy logits."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.pregen import (
    HuggingFaceAdapter,
    LogitsAdapter,
    PregenMeter,
    PregenWatch,
    WordProbabilities,
    pregen_scores,
)
from captious.pregen.inputs import logits_to_probabilities
from captious.pregen.watch import Predicted

BEST = "mean_max_normcount_prefix0"
VOCABULARY = 5


def random_words(
    seed: int = 0, captions: int = 12, words: int = 6
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    given, first = rng.uniform(0.01, 1, (captions, words)), rng.random((captions, words)) < 0.7
    return given, first, rng.integers(1, words + 1, captions), np.arange(captions) % 4


@pytest.mark.parametrize("batch", [1, 5, 12])
def test_batches_give_the_metrics_of_all_captions_at_once(batch: int) -> None:
    given, first, lengths, images = random_words()
    whole = WordProbabilities.of(given, first, lengths=lengths, images=images)
    meter = PregenMeter("all", variant="released")
    for start in range(0, 12, batch):
        part = slice(start, start + batch)
        meter.update(given[part], first[part], lengths=lengths[part], images=images[part])
    assert meter.compute() == pregen_scores(whole, "all", variant="released")


def test_image_numbers_continue_across_batches() -> None:
    given, first, _, _ = random_words()
    given, first = given.reshape(4, 3, 6), first.reshape(4, 3, 6)
    meter = PregenMeter()
    for part in (slice(0, 3), slice(3, 4)):
        meter.update(given[part], first[part])
    assert meter.words.n_images == 4
    assert meter.value() == pregen_scores(WordProbabilities.of(given, first), BEST)[BEST]
    with pytest.raises(InputError, match="with every batch, or with none"):
        meter.update(given, first, images=[1, 2, 3, 4])


def test_reset_meter_forgets_batches() -> None:
    meter = PregenMeter([BEST, "perplexity"])
    with pytest.raises(InputError, match="the meter is empty"):
        meter.compute()
    meter.update([[[0.5]]], [[[True]]])
    meter.reset()
    meter.update([[[0.5, 0.5]]], [[[True, False]]])
    assert meter.compute() == {BEST: 0.5, "geomean_join_pplx_none": pytest.approx(2)}
    assert meter.value() == 0.5


def test_logits_by_hand() -> None:
    logits = np.log([[[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [9.0, 9.0, 9.0]]]) + 3
    given, first, there = logits_to_probabilities(logits, np.array([[0, 0, -100]]))
    assert given.tolist() == [[pytest.approx(0.7), pytest.approx(0.3), 0]]
    assert first.tolist() == [[True, False, False]]
    assert there.tolist() == [[True, True, False]]
    masked = logits_to_probabilities(logits, np.array([[0, 1, 2]]), np.array([[1, 0, 1]]))
    assert masked[2].tolist() == [[True, False, True]]


def test_a_word_that_the_model_forbids_has_probability_0() -> None:
    given, first, _ = logits_to_probabilities(np.array([[[0.0, -np.inf]]]), np.array([[1]]))
    assert (given.tolist(), first.tolist()) == ([[0.0]], [[False]])


@pytest.mark.parametrize(
    ("logits", "targets", "mask", "message"),
    [
        (np.zeros((1, 2, 3)), [[0, 1, 2]], None, "one more axis"),
        (np.zeros((1, 2, 3)), [[0, 3]], None, "target 3 is not in a vocabulary of 3"),
        (np.zeros((1, 2, 3)), [[0, -1]], [[1, 1]], "target -1 is not in"),
        (np.zeros((1, 2, 3)), [[0, 1]], [[1]], "a mask of shape"),
        (np.full((1, 2, 3), np.nan), [[0, 1]], None, "NaN"),
        (np.zeros((1, 2, 3)), [[0.5, 1]], None, "targets: expected whole numbers"),
    ],
)
def test_invalid_logits_are_an_error(
    logits: np.ndarray, targets: list[list[float]], mask: list[list[int]] | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        logits_to_probabilities(logits, np.array(targets), None if mask is None else np.array(mask))


class Captioner:
    """A model that is sure of word `favourite`, and remembers in which mode it was asked."""

    def __init__(self, favourite: int = 1) -> None:
        self.favourite, self.training = favourite, True
        self.modes: list[bool] = []

    def eval(self) -> None:
        self.training = False

    def train(self) -> None:
        self.training = True

    def __call__(self, captions: np.ndarray) -> np.ndarray:
        self.modes.append(self.training)
        favourites = np.full(np.shape(captions), self.favourite)
        return np.asarray(np.eye(VOCABULARY)[favourites] * 9.0)


BATCHES = [
    {"targets": np.array([[1, 1, 2], [1, 3, -100]]), "images": ["a", "b"]},
    {"targets": np.array([[1, 1, 1]]), "images": ["a"]},
]
ADAPTER = LogitsAdapter(lambda model, batch: model(batch["targets"]))


def test_watch_in_a_plain_training_loop() -> None:
    watch = PregenWatch(BATCHES, ADAPTER, [BEST, "perplexity"])
    model = Captioner()
    for model.favourite in (4, 1, 2):
        scores = watch(model)
    assert set(model.modes) == {False} and model.training
    assert [scores[BEST] for scores in watch.history] == [0, (1 + 1 / 2) / 2, 0]
    assert scores == watch.history[2]
    assert watch.best() == 1 and watch.best("geomean_join_pplx_none") == 1
    with pytest.raises(InputError, match="not measured yet"):
        watch.best("mean_mean_count_none")


def test_failing_model_is_restored_to_training_mode() -> None:
    model = Captioner()
    watch = PregenWatch(BATCHES, LogitsAdapter(lambda model, batch: batch["nothing"]))
    with pytest.raises(KeyError):
        watch(model)
    assert model.training


def test_batches_that_are_used_up_are_refused() -> None:
    with pytest.raises(InputError, match="used up after one epoch"):
        PregenWatch(iter(BATCHES), ADAPTER)


def test_batch_without_a_required_field_is_an_error() -> None:
    with pytest.raises(InputError, match="a batch has no 'images'; it has: targets"):
        PregenWatch([{"targets": np.zeros((1, 1), int)}], ADAPTER)(Captioner())
    with pytest.raises(InputError, match="a batch is a tuple, in which nothing"):
        PregenWatch([(1, 2)], ADAPTER)(Captioner())
    by_place = LogitsAdapter(
        lambda model, batch: model(batch[0]), lambda batch: batch[0], lambda batch: batch[1]
    )
    assert PregenWatch([(np.ones((1, 2), int), ["a"])], by_place)(Captioner())[BEST] == 1


def hugging_face_model(is_encoder_decoder: bool, image_places: int = 2) -> Any:
    """A model that foretells each next word rightly, at the place where such a model does."""

    def forward(pixel_values: Any, labels: Any = None, input_ids: Any = None) -> Any:
        assert (input_ids is None) == is_encoder_decoder == (labels is not None)
        if is_encoder_decoder:
            logits = np.eye(VOCABULARY)[np.maximum(labels, 0)]
        else:
            following = np.roll(input_ids, -1, axis=1)
            image = np.zeros((len(input_ids), image_places, VOCABULARY))
            logits = np.concatenate([image, np.eye(VOCABULARY)[following]], axis=1)
        return types.SimpleNamespace(logits=logits * 9)

    model: Any = forward
    model.config = types.SimpleNamespace(is_encoder_decoder=is_encoder_decoder)
    return model


def test_both_kinds_of_image_to_text_models_of_hugging_face() -> None:
    labels = np.array([[0, 1, 2, 4], [0, 3, 4, -100]])
    batch = {"labels": labels, "images": [1, 2], "pixel_values": None}
    adapter = HuggingFaceAdapter()
    aligned = PregenWatch([batch], adapter)
    assert aligned(hugging_face_model(True))[BEST] == 1
    assert aligned.meter.words.lengths.tolist() == [4, 3]
    batch["input_ids"] = np.maximum(labels, 0)
    shifted = PregenWatch([batch], adapter)
    assert shifted(hugging_face_model(False))[BEST] == 1
    assert shifted.meter.words.lengths.tolist() == [3, 2]  # nothing foretells the start token
    predicted = HuggingFaceAdapter(shifted=False)(
        lambda **_: types.SimpleNamespace(logits="as given"), {"labels": labels, "images": [1, 2]}
    )
    assert isinstance(predicted, Predicted) and predicted.logits == "as given"
