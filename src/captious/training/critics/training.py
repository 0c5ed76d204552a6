"""Training: a critic learns, with PyTorch, to tell people's captions of an image from others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from captious.arrays.ragged import IntArray, Ragged, joined
from captious.backends.pytorch import import_torch, one_thread
from captious.critic.critic import Critic
from captious.critic.recipe import CriticRecipe
from captious.critic.sentences import cut, has_an_end, side_by_side
from captious.errors import InputError
from captious.images.scaling import ImageScaling
from captious.images.vectors import SingleArray
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors
from captious.text.vocabulary import SPECIAL, Vocabulary
from captious.training.adam import ResumableAdam
from captious.training.checkpoint import Checkpoint
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.negatives import Others, another_of_the_image
from captious.training.critics.network import CriticNetwork, sketches_of

if TYPE_CHECKING:
    import torch

# Epoch (from 1), people's captions read in it, captions in all, lowest validation loss so far.
Progress = Callable[[int, int, int, float | None], None]
VALIDATION_SEED = 0  # one draw of other captions for every epoch, recipe and seed


@dataclass(frozen=True)
class Epoch:
    """One point of the training curve: losses, and equation 10's performance on validation."""

    loss: float
    validation_loss: float
    performance: float


@dataclass(frozen=True, eq=False)
class Trained:
    """The critic of the best epoch, which that was (from 1), and the whole curve."""

    critic: Critic
    best: int
    curve: tuple[Epoch, ...]


class _Batch(NamedTuple):
    """People's captions, as many others, a reference that serves both, and their images."""

    people: Ragged
    others: Ragged
    references: Ragged
    images: IntArray


class _Material:
    """Captions as a network reads them, with their other captions drawn epoch by epoch."""

    def __init__(
        self,
        captions: CriticCaptions,
        recipe: CriticRecipe,
        vocabulary: Vocabulary,
        scaling: ImageScaling | None,
    ) -> None:
        self.people = captions.people.written(vocabulary)
        machines = {kind: t.written(vocabulary) for kind, t in captions.machines.items()}
        vectors = None if captions.images is None else captions.images.vectors
        features = None if vectors is None else vectors.astype(np.float64)
        known, words = len(vocabulary.words), len(set(chain.from_iterable(captions.people.words)))
        self._others = Others(self.people, machines, recipe, known, max(known, words), features)
        self.seen: SingleArray | None = None
        if scaling is not None and captions.images is not None:
            self.seen = scaling.inputs(captions.images.vectors)

    def batches(self, size: int, chance: np.random.Generator) -> Iterator[_Batch]:
        """All of people's captions in a random order, each with another caption and a reference."""
        rows = chance.permutation(len(self.people.images))
        others = self._others.draw(rows, chance)
        references = another_of_the_image(self.people, rows, chance)
        for start in range(0, len(rows), size):
            some = np.arange(start, min(start + size, len(rows)))
            yield _Batch(
                self.people.numbers.take(rows[some]),
                others.take(some),
                self.people.numbers.take(references[some]),
                self.people.images[rows[some]],
            )


def train(
    training: CriticCaptions,
    validation: CriticCaptions,
    recipe: CriticRecipe | None = None,
    *,
    vectors: WordVectors | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Train on captions, and keep the epoch with the lowest loss on the validation captions.

    Words begin at their `vectors`, those that ship unless others are given. With `checkpoint`, a
    file that training goes on from if it was stopped: the result is the same to the last bit as
    without a stop.
    """
    recipe = recipe or CriticRecipe()
    scaling = None
    if recipe.sees:
        for captions in (training, validation):
            if captions.images is None:
                raise InputError(f"a critic of context {recipe.context!r} needs image vectors")
        assert training.images is not None
        scaling = ImageScaling.of(training.images)
    vectors = vectors or WordVectors.load()
    vocabulary = Vocabulary.of(training.people.words, recipe.least_count)
    sketches = sketches_of(recipe)
    width = 0 if training.images is None else training.images.width
    network = CriticNetwork(recipe, first_vectors(vocabulary, vectors), width, sketches)
    key = _key(recipe, vectors, training, validation)
    state = Checkpoint.fresh(list(network.arrays().values()), key).resumed(checkpoint)
    learned = _Material(training, recipe, vocabulary, scaling)
    judged = _Material(validation, recipe, vocabulary, scaling)
    with one_thread(import_torch()):
        learner = _Learner(network, state, recipe)
        while state.epoch < recipe.epochs and state.epoch - state.best < recipe.patience:
            loss = learner.run_epoch(learned, state, progress)
            if not np.isfinite(loss):
                raise InputError(
                    f"training fails in epoch {state.epoch + 1}: the loss is not a number; "
                    f"lower the learning rate of {recipe.learning_rate}"
                )
            learner.store(state)
            validation_loss, performance = learner.measure(judged)
            state.add(loss, performance, -validation_loss)
            if checkpoint is not None:
                state.write(checkpoint)
    curve = tuple(Epoch(loss, -merit, right) for loss, right, merit in state.curve)
    best = curve[state.best - 1]
    notes = {
        "recipe": recipe.to_dict(),
        "epoch": state.best,
        "validation_loss": best.validation_loss,
        "performance": best.performance,
        "images": len(training.names),
    }
    kept = {
        name: array.astype(np.float32)
        for name, array in zip(network.arrays(), state.kept, strict=True)
    }
    critic = Critic.of(recipe, kept, vocabulary, scaling, sketches, notes)
    return Trained(critic, state.best, curve)


def first_vectors(vocabulary: Vocabulary, vectors: WordVectors) -> SingleArray:
    """Where words begin: at their vectors or, without one, near zero by chance."""
    words = [*SPECIAL, *vocabulary.words]
    rows = vectors.rows(words)
    chance = np.random.default_rng(0)
    first = chance.normal(0, 0.1, (len(words), vectors.dimensions))
    known = rows != UNKNOWN
    first[known] = vectors.at(rows[known])
    return first.astype(np.float32)


class _Learner:
    """The network with its optimiser, at the point where a checkpoint left them."""

    def __init__(self, network: CriticNetwork, state: Checkpoint, recipe: CriticRecipe) -> None:
        self._torch = import_torch()
        self._network, self._recipe = network, recipe
        network.load(dict(zip(network.arrays(), state.arrays, strict=True)))
        self._adam = ResumableAdam(
            list(network.parts.parameters()),
            state,
            recipe.learning_rate,
            recipe.largest_gradient,
            fused=True,
        )

    def run_epoch(self, material: _Material, state: Checkpoint, progress: Progress | None) -> float:
        """One pass over people's captions; seed and epoch decide all chance; the mean loss."""
        recipe, epoch = self._recipe, state.epoch
        chance = np.random.default_rng([recipe.seed, epoch])
        self._network.parts.train()
        self._adam.set_rate(recipe.learning_rate * recipe.decay**epoch)
        total, done = 0.0, 0
        with self._torch.random.fork_rng(devices=[]):
            self._torch.manual_seed(int(chance.integers(2**62)))
            for batch in material.batches(recipe.batch // 2, chance):
                scores, targets, second = self._judge(batch, material.seen)
                loss = self._torch.nn.functional.cross_entropy(scores, targets)
                total += float(loss.detach()) * len(batch.images)
                self._adam.step(loss + second)
                done += len(batch.images)
                if progress is not None:
                    best = -state.best_merit if state.best else None
                    progress(epoch + 1, done, len(material.people.images), best)
        return total / done

    def measure(self, material: _Material) -> tuple[float, float]:
        """Loss, and the mean chance given to the truth (equation 10), of captions not learnt."""
        self._network.parts.eval()
        chance = np.random.default_rng(VALIDATION_SEED)
        losses = []
        with self._torch.no_grad():
            for batch in material.batches(self._recipe.batch * 5, chance):
                scores, targets, _ = self._judge(batch, material.seen)
                losses.append(
                    self._torch.nn.functional.cross_entropy(scores, targets, reduction="none")
                )
        found = self._torch.cat(losses).double()
        return float(found.mean()), float((-found).exp().mean())

    def store(self, state: Checkpoint) -> None:
        """Put weights and moments where a checkpoint keeps them."""
        self._adam.store(state)

    def _judge(
        self, batch: _Batch, seen: SingleArray | None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The scores of people's captions and, after them, of the others; what is true.

        Third, the weighted loss of the second task.
        """
        torch, recipe, number = self._torch, self._recipe, len(batch.images)
        captions = [batch.people, batch.others]
        if recipe.reads:
            captions.append(batch.references)
        short = joined([cut(one, recipe.longest) for one in captions])
        lengths = np.concatenate([one.lengths for one in captions])
        with torch.autocast("cpu", torch.bfloat16, enabled=recipe.half):
            encoded = self._network.captions(
                torch.from_numpy(side_by_side(short)),
                torch.from_numpy(short.lengths),
                torch.from_numpy(has_an_end(lengths, recipe.longest, recipe.variant)),
            )
            references = encoded[2 * number :] if recipe.reads else None
            images = torch.from_numpy(seen[batch.images]) if seen is not None else None
            context = self._network.context(images, references)
            scores = self._network.scores(torch.cat([context, context]), encoded[: 2 * number])
            second = torch.zeros(())
            if recipe.contrast:
                second = recipe.contrast * self._finding(context, encoded[:number])
        return scores.float(), torch.arange(2).flip(0).repeat_interleave(number), second

    def _finding(self, context: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        """The loss of finding the context of each of people's captions, others of the batch beside.

        Images that come up twice in a batch are few enough not to be looked for.
        """
        torch = self._torch
        among = min(self._recipe.contexts, len(captions))
        rolled = torch.cat([context.roll(step, 0) for step in range(among)])
        scores = self._network.scores(rolled, captions.repeat(among, 1)).float()
        margins = (scores[:, 1] - scores[:, 0]).view(among, -1).T
        first = torch.zeros(len(captions), dtype=torch.long)
        return torch.nn.functional.cross_entropy(margins, first)


def _key(recipe: CriticRecipe, vectors: WordVectors, *data: CriticCaptions) -> str:
    """A hash of all that a training depends on, save how many epochs it may take."""
    said = {**recipe.to_dict(), "epochs": None, "patience": None}
    parts = [json.dumps(said, sort_keys=True), vectors.signature, *(one.key for one in data)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
