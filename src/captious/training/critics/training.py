"""Training of a critic with PyTorch: human captions against negatives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, concatenate_ragged
from captious._internal.backends.pytorch import bfloat16_autocast, import_torch
from captious.errors import InputError
from captious.images.vectors import ImageScaling, SingleArray
from captious.metrics.leic.critic import Critic
from captious.metrics.leic.lstm import has_end_token, pad_captions, truncate
from captious.metrics.leic.recipe import MACHINE, CriticRecipe
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors
from captious.text.vocabulary import SPECIAL, Vocabulary
from captious.training.checkpoint import Point, training_key, without_stopping_rule
from captious.training.critics.captions import (
    CriticCaptions,
    Negatives,
    draw_one_per_image,
    draw_other_captions,
)
from captious.training.critics.network import CriticNetwork, make_sketches
from captious.training.loop import BatchLoss, Learner, Listener, Schedule, TrainingResult, learn

if TYPE_CHECKING:
    import torch

VALIDATION_SEED = 0  # one draw of negatives for every epoch, recipe and seed


class _Batch(NamedTuple):
    """Human captions, as many negatives, a reference shared by both, and their images."""

    people: Ragged
    negatives: Ragged
    references: Ragged
    images: IntArray


class _CaptionSet:
    """Captions as word ids, with negatives drawn epoch by epoch."""

    def __init__(
        self,
        captions: CriticCaptions,
        recipe: CriticRecipe,
        vocabulary: Vocabulary,
        scaling: ImageScaling | None,
    ) -> None:
        self.people = captions.people.to_ids(vocabulary)
        machines = {kind: t.to_ids(vocabulary) for kind, t in captions.machines.items()}
        vectors = None if captions.images is None else captions.images.vectors
        features = None if vectors is None else vectors.astype(np.float64)
        known, words = len(vocabulary.words), len(set(chain.from_iterable(captions.people.words)))
        self._negatives = Negatives(
            self.people, machines, recipe, known, max(known, words), features
        )
        self._per_image: int | None = None  # captions an epoch; without a number, all
        if recipe.as_released:
            self._per_image = machines[MACHINE].max_captions_per_image if MACHINE in machines else 1
        self.image_inputs: SingleArray | None = None
        if scaling is not None and captions.images is not None:
            self.image_inputs = scaling.inputs(captions.images.vectors)

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[_Batch]:
        """Yield an epoch's human captions in random order, each with a negative and a reference."""
        rows = rng.permutation(self._rows(rng))
        negatives = self._negatives.draw(rows, rng)
        references = draw_other_captions(self.people, rows, rng)
        for start in range(0, len(rows), size):
            places = np.arange(start, min(start + size, len(rows)))
            yield _Batch(
                self.people.word_ids.take(rows[places]),
                negatives.take(places),
                self.people.word_ids.take(references[places]),
                self.people.images[rows[places]],
            )

    @property
    def captions_per_epoch(self) -> int:
        """The number of human captions in an epoch."""
        everything = self.people.images
        if self._per_image is None:
            return len(everything)
        return self._per_image * (int(everything[-1]) + 1)

    def _rows(self, rng: np.random.Generator) -> IntArray:
        if self._per_image is None:
            return np.arange(len(self.people.images))
        images = np.repeat(np.arange(int(self.people.images[-1]) + 1), self._per_image)
        return draw_one_per_image(self.people.rows_of_image, images, rng)


def train(
    training: CriticCaptions,
    validation: CriticCaptions,
    recipe: CriticRecipe | None = None,
    *,
    vectors: WordVectors | None = None,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
) -> TrainingResult[Critic]:
    """Train on captions and keep the epoch with the lowest loss on the validation captions.

    A recipe of the variant `released` keeps the last epoch.

    Word embeddings start from `vectors`, by default those that ship. With `checkpoint`, an
    interrupted training resumes from that file, and the result is the same to the last bit as
    without the interruption.
    """
    recipe = recipe or CriticRecipe()
    scaling = None
    if recipe.uses_images:
        for captions in (training, validation):
            if captions.images is None:
                raise InputError(f"a critic of context {recipe.context!r} needs image vectors")
        assert training.images is not None
        images = training.images
        scaling = ImageScaling.none(images.width) if recipe.as_released else ImageScaling.of(images)
    vectors = vectors or WordVectors.load()
    vocabulary = Vocabulary.of(training.people.words, recipe.least_count)
    sketches = make_sketches(recipe)
    width = 0 if training.images is None else training.images.width
    network = CriticNetwork(recipe, initial_vectors(vocabulary, vectors), width, sketches)
    training_set, validation_set = (
        _CaptionSet(captions, recipe, vocabulary, scaling) for captions in (training, validation)
    )
    learner = _Learner(network, recipe, training_set, validation_set)
    schedule = Schedule(
        recipe.epochs,
        recipe.patience,
        recipe.learning_rate,
        recipe.decay,
        recipe.largest_gradient,
        keeps_last=recipe.as_released,
    )
    key = training_key(
        without_stopping_rule(recipe.to_dict()), vectors.signature, training.key, validation.key
    )
    result = learn(learner, schedule, key, checkpoint=checkpoint, progress=progress)
    notes = {
        "recipe": recipe.to_dict(),
        "epoch": result.best,
        "validation_loss": result.best_point["validation_loss"],
        "performance": result.best_point["performance"],
        "images": len(training.names),
    }
    weights = {
        name: array.astype(np.float32)
        for name, array in zip(network.arrays(), result.model, strict=True)
    }
    critic = Critic.of(recipe, weights, vocabulary, scaling, sketches, notes)
    return TrainingResult(critic, result.best, result.curve)


def initial_vectors(vocabulary: Vocabulary, vectors: WordVectors) -> SingleArray:
    """Initial embeddings: a word's vector or, without one, small random values."""
    words = [*SPECIAL, *vocabulary.words]
    rows = vectors.rows(words)
    rng = np.random.default_rng(0)
    initial = rng.normal(0, 0.1, (len(words), vectors.dimensions))
    known = rows != UNKNOWN
    initial[known] = vectors.at(rows[known])
    return initial.astype(np.float32)


class _Learner(Learner):
    """The network, with its training and validation captions."""

    measures = ("validation_loss", "performance")
    merit = "validation_loss"

    def __init__(
        self,
        network: CriticNetwork,
        recipe: CriticRecipe,
        training_set: _CaptionSet,
        validation_set: _CaptionSet,
    ) -> None:
        self._torch = import_torch()
        self._network, self._recipe = network, recipe
        self._training_set, self._validation_set = training_set, validation_set
        self.weights = list(network.parts.parameters())
        self.samples = training_set.captions_per_epoch

    def batch_losses(self, epoch: int) -> Iterator[BatchLoss]:
        """Yield batches of all human captions, each with a negative."""
        rng = np.random.default_rng([self._recipe.seed, epoch])
        self._torch.manual_seed(int(rng.integers(2**62)))
        self._network.parts.train()
        for batch in self._training_set.batches(self._recipe.batch // 2, rng):
            scores, targets, second = self._forward(batch, self._training_set.image_inputs)
            loss = self._torch.nn.functional.cross_entropy(scores, targets)
            yield BatchLoss(loss, len(batch.images), second_loss=second)

    def validate(self) -> Point:
        """Return validation loss and mean probability of the true class (equation 10)."""
        torch = self._torch
        self._network.parts.eval()
        rng = np.random.default_rng(VALIDATION_SEED)
        parts = []
        with torch.no_grad():
            for batch in self._validation_set.batches(self._recipe.batch * 5, rng):
                scores, targets, _ = self._forward(batch, self._validation_set.image_inputs)
                parts.append(torch.nn.functional.cross_entropy(scores, targets, reduction="none"))
        losses = torch.cat(parts).double()
        return {
            "validation_loss": float(losses.mean()),
            "performance": float((-losses).exp().mean()),
        }

    def _forward(
        self, batch: _Batch, image_inputs: SingleArray | None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Return the logits of human captions and then of negatives, and the true classes.

        Third, the weighted loss of the contrastive task, if there is one.
        """
        torch, recipe, number = self._torch, self._recipe, len(batch.images)
        captions = [batch.people, batch.negatives]
        if recipe.uses_references:
            captions.append(batch.references)
        short = concatenate_ragged([truncate(each, recipe.longest) for each in captions])
        lengths = np.concatenate([each.lengths for each in captions])
        with bfloat16_autocast(torch, recipe.half):
            encoded = self._network.captions(
                torch.from_numpy(pad_captions(short)),
                torch.from_numpy(short.lengths),
                torch.from_numpy(has_end_token(lengths, recipe.longest, recipe.variant)),
            )
            references = encoded[2 * number :] if recipe.uses_references else None
            images = (
                torch.from_numpy(image_inputs[batch.images]) if image_inputs is not None else None
            )
            context = self._network.context(images, references)
            scores = self._network.scores(torch.cat([context, context]), encoded[: 2 * number])
            second = None
            if recipe.contrast:
                second = recipe.contrast * self._contrastive_loss(context, encoded[:number])
        return scores.float(), torch.arange(2).flip(0).repeat_interleave(number), second

    def _contrastive_loss(self, context: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        """Loss of finding each human caption's context among others of the batch.

        Images that occur twice in a batch are rare enough to be ignored.
        """
        torch = self._torch
        among = min(self._recipe.contexts, len(captions))
        rolled = torch.cat([context.roll(step, 0) for step in range(among)])
        scores = self._network.scores(rolled, captions.repeat(among, 1)).float()
        margins = (scores[:, 1] - scores[:, 0]).view(among, -1).T
        first = torch.zeros(len(captions), dtype=torch.long)
        return torch.nn.functional.cross_entropy(margins, first)
