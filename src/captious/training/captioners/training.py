"""Training: a captioner learns to give the next word of people's captions a high probability."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from captious.arrays.ragged import Ragged
from captious.backends.pytorch import import_torch, one_thread
from captious.captioners.captioner import Captioner
from captious.captioners.decoder import Decoder, Shape
from captious.captioners.examples import NO_WORD, Batch, Examples, batches
from captious.captioners.recipe import CaptionerRecipe
from captious.errors import InputError
from captious.images.scaling import ImageScaling
from captious.pregen.captioner_probabilities import loss_of, measure
from captious.text.vocabulary import Vocabulary
from captious.training.adam import ResumableAdam
from captious.training.checkpoint import Checkpoint

LARGEST_GRADIENT = 5.0
# Epoch (from 1), captions read in it, captions in all, lowest validation loss so far if any.
Progress = Callable[[int, int, int, float | None], None]


@dataclass(frozen=True)
class Epoch:
    """One point of the training curve: losses, and how many validation words came first."""

    loss: float
    validation_loss: float
    share_first: float


@dataclass(frozen=True, eq=False)
class Trained:
    """The captioner of the best epoch, which that was (from 1), and the whole curve."""

    captioner: Captioner
    best: int
    curve: tuple[Epoch, ...]


def train(
    training: Examples,
    validation: Examples,
    recipe: CaptionerRecipe | None = None,
    *,
    checkpoint: str | Path | None = None,
    keep_epochs: str | Path | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Train on captions, and keep the epoch with the lowest loss on the validation captions.

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
    key = training_key(recipe, training, validation)
    state = Checkpoint.fresh(list(decoder.arrays().values()), key).resumed(checkpoint)
    learned = vocabulary.numbers(training.tokens)
    judged = vocabulary.numbers(validation.tokens)
    with one_thread(import_torch()):
        learner = _Learner(decoder, state, recipe)
        while state.epoch < recipe.epochs and state.epoch - state.best < recipe.patience:
            loss = learner.run_epoch(training, learned, state, progress)
            if not np.isfinite(loss):
                raise InputError(
                    f"training fails in epoch {state.epoch + 1}: the loss is not a number; "
                    f"lower the learning rate of {recipe.learning_rate}"
                )
            learner.store(state)
            decoder.parts.eval()
            found = measure(decoder, validation, judged)
            state.add(loss, float(found.is_first.mean()), -loss_of(found))
            if keep_epochs is not None:
                notes = _notes(recipe, state, state.epoch)
                name = f"epoch_{state.epoch:02}.npz"
                Captioner(scaling, decoder, vocabulary, notes).save(Path(keep_epochs) / name)
            if checkpoint is not None:
                state.write(checkpoint)
        decoder.load(dict(zip(decoder.arrays(), state.kept, strict=True)))
        decoder.parts.eval()
    captioner = Captioner(scaling, decoder, vocabulary, _notes(recipe, state, state.best))
    curve = tuple(Epoch(loss, -merit, first) for loss, first, merit in state.curve)
    return Trained(captioner, state.best, curve)


class _Learner:
    """The decoder with its optimiser, at the point where a checkpoint left them."""

    def __init__(self, decoder: Decoder, state: Checkpoint, recipe: CaptionerRecipe) -> None:
        self._torch = import_torch()
        self._decoder, self._recipe = decoder, recipe
        decoder.load(dict(zip(decoder.arrays(), state.arrays, strict=True)))
        self._adam = ResumableAdam(
            list(decoder.parts.parameters()),
            state,
            recipe.learning_rate,
            LARGEST_GRADIENT,
            fused=True,
        )

    def run_epoch(
        self, examples: Examples, numbers: Ragged, state: Checkpoint, progress: Progress | None
    ) -> float:
        """One pass over the captions; seed and epoch alone decide all chance; the mean loss."""
        torch, epoch = self._torch, state.epoch
        chance = np.random.default_rng([self._recipe.seed, epoch])
        self._decoder.parts.train()
        self._adam.set_rate(self._recipe.learning_rate * self._recipe.decay**epoch)
        total, words, done = 0.0, 0, 0
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(chance.integers(2**62)))
            for batch in batches(numbers, self._recipe.batch, chance):
                count = int((batch.targets != NO_WORD).sum())
                total += self._step(examples, batch) * count
                words += count
                done += len(batch.rows)
                if progress is not None:
                    best = -state.best_merit if state.best else None
                    progress(epoch + 1, done, len(numbers), best)
        return total / words

    def _step(self, examples: Examples, batch: Batch) -> float:
        """Learn from one batch; the mean loss of its words."""
        torch = self._torch
        vectors = torch.from_numpy(examples.images.vectors[examples.image_of[batch.rows]])
        read, targets = torch.from_numpy(batch.read), torch.from_numpy(batch.targets)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._recipe.half):
            scores, _ = self._decoder.read(read, self._decoder.begin(vectors))
        loss = torch.nn.functional.cross_entropy(
            scores.float().flatten(0, 1), targets.flatten(), ignore_index=NO_WORD
        )
        return self._adam.step(loss)

    def store(self, state: Checkpoint) -> None:
        """Put weights and moments where a checkpoint keeps them."""
        self._adam.store(state)


def training_key(recipe: CaptionerRecipe, *data: Examples) -> str:
    """A hash of all that a training depends on, save how many epochs it may take."""
    said = {**recipe.to_dict(), "epochs": None, "patience": None}
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
    for examples in data:
        digest.update(json.dumps(examples.tokens).encode())
        digest.update(np.ascontiguousarray(examples.image_of).tobytes())
        digest.update(examples.images.vectors.tobytes())
    return digest.hexdigest()


def _notes(recipe: CaptionerRecipe, state: Checkpoint, epoch: int) -> dict[str, Any]:
    _, first, merit = state.curve[epoch - 1]
    return {
        "recipe": recipe.to_dict(),
        "epoch": epoch,
        "validation_loss": -merit,
        "validation_share_first": first,
    }
