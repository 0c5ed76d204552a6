"""Maximum-likelihood training of captioners on human captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from captious._internal.backends.pytorch import bfloat16_autocast, import_torch
from captious.captioners.captioner import Captioner
from captious.captioners.decoder import Decoder, Shape
from captious.captioners.examples import PADDING, Examples, batches
from captious.captioners.recipe import CaptionerRecipe
from captious.errors import InputError
from captious.images.vectors import ImageScaling
from captious.pregen.captioner_probabilities import cross_entropy, score_examples
from captious.text.vocabulary import Vocabulary
from captious.training.checkpoint import Point, training_key, without_stopping_rule
from captious.training.loop import BatchLoss, Learner, Listener, Schedule, TrainingResult, learn

MAX_GRADIENT_NORM = 5.0


def train(
    training: Examples,
    validation: Examples,
    recipe: CaptionerRecipe | None = None,
    *,
    checkpoint: str | Path | None = None,
    keep_epochs: str | Path | None = None,
    progress: Listener | None = None,
) -> TrainingResult[Captioner]:
    """Train on captions and keep the epoch with the lowest loss on the validation captions.

    With `checkpoint`, a file that training goes on from if it was stopped: the result is the same
    to the last bit as without a stop. With `keep_epochs`, a folder that gets the captioner as it
    is after each epoch, `epoch_01.npz` and so on.
    """
    recipe = recipe or CaptionerRecipe()
    if training.images.width != validation.images.width:
        raise InputError("the vectors of training and validation images differ in width")
    vocabulary = Vocabulary.of(training.tokens, recipe.least_count)
    scaling = (
        ImageScaling.of(training.images)
        if recipe.standardise
        else ImageScaling.none(training.images.width)
    )
    training, validation = (
        replace(examples, images=scaling.apply(examples.images))
        for examples in (training, validation)
    )
    shape = Shape(recipe.architecture, recipe.size, len(vocabulary), training.images.width)
    decoder = Decoder(
        shape,
        recipe.seed,
        dropout=recipe.dropout,
        image_dropout=recipe.image_dropout,
        spread=recipe.spread,
        input_gain=recipe.input_gain,
        forget_bias=recipe.forget_bias,
    )
    learner = _Learner(decoder, recipe, vocabulary, training, validation)
    schedule = Schedule(
        recipe.epochs, recipe.patience, recipe.learning_rate, recipe.decay, MAX_GRADIENT_NORM
    )

    def captioner(epoch: int, point: Point) -> Captioner:
        notes = {
            "recipe": recipe.to_dict(),
            "epoch": epoch,
            "validation_loss": point["validation_loss"],
            "validation_share_first": point["share_first"],
        }
        return Captioner(scaling, decoder, vocabulary, notes)

    def save(epoch: int, point: Point) -> None:
        if keep_epochs is not None:
            captioner(epoch, point).save(Path(keep_epochs) / f"epoch_{epoch:02}.npz")

    data = [
        part
        for examples in (training, validation)
        for part in (examples.tokens, examples.image_of, examples.images.vectors)
    ]
    key = training_key(without_stopping_rule(recipe.to_dict()), *data)
    result = learn(
        learner, schedule, key, checkpoint=checkpoint, progress=progress, after_epoch=save
    )
    decoder.load(dict(zip(decoder.arrays(), result.model, strict=True)))
    decoder.parts.eval()
    return TrainingResult(captioner(result.best, result.best_point), result.best, result.curve)


class _Learner(Learner):
    """The decoder, with its training and validation captions."""

    measures = ("validation_loss", "share_first")
    merit = "validation_loss"

    def __init__(
        self,
        decoder: Decoder,
        recipe: CaptionerRecipe,
        vocabulary: Vocabulary,
        training: Examples,
        validation: Examples,
    ) -> None:
        self._torch = import_torch()
        self._decoder, self._recipe = decoder, recipe
        self._training, self._numbers = training, vocabulary.encode(training.tokens)
        self._validation, self._validation_numbers = (
            validation,
            vocabulary.encode(validation.tokens),
        )
        self.weights = list(decoder.parts.parameters())
        self.samples = len(self._numbers)

    def batch_losses(self, epoch: int) -> Iterator[BatchLoss]:
        """Yield all captions in batches; the loss is the mean over the words of a batch."""
        torch, decoder, training = self._torch, self._decoder, self._training
        rng = np.random.default_rng([self._recipe.seed, epoch])
        torch.manual_seed(int(rng.integers(2**62)))
        decoder.parts.train()
        for batch in batches(self._numbers, self._recipe.batch, rng):
            vectors = torch.from_numpy(training.images.vectors[training.image_of[batch.rows]])
            read, targets = torch.from_numpy(batch.read), torch.from_numpy(batch.targets)
            with bfloat16_autocast(torch, self._recipe.half):
                scores, _ = decoder.read(read, decoder.initial_state(vectors))
            loss = torch.nn.functional.cross_entropy(
                scores.float().flatten(0, 1), targets.flatten(), ignore_index=PADDING
            )
            yield BatchLoss(loss, len(batch.rows), int((batch.targets != PADDING).sum()))

    def validate(self) -> Point:
        """Return the validation loss, and the share of words that were ranked first."""
        self._decoder.parts.eval()
        words = score_examples(self._decoder, self._validation, self._validation_numbers)
        first = float(words.is_first.mean())
        return {"validation_loss": cross_entropy(words), "share_first": first}
