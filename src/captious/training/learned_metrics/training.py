"""Training: a network learns, with PyTorch, to tell a person's captions from others.

PyTorch is imported when training begins and for nothing else: scoring needs NumPy alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from captious.arrays.ragged import FloatArray
from captious.backends.pytorch import import_torch, one_thread
from captious.errors import InputError
from captious.learned.features import FeatureSet
from captious.learned.network import Network, new_network
from captious.learned.scaling import Scaling
from captious.learned.weights import LearnedModel
from captious.training.adam import ResumableAdam
from captious.training.checkpoint import Checkpoint, training_key
from captious.training.learned_metrics.recipe import Recipe
from captious.training.learned_metrics.validation import Validation

if TYPE_CHECKING:
    import torch

Progress = Callable[[int, int, float], None]  # epochs done, epochs in all, best tau so far
EPOCHS_A_SAVE = 10  # between checkpoints


@dataclass(frozen=True)
class Epoch:
    """One point of the training curve: mean loss, share classified rightly, agreement."""

    loss: float
    accuracy: float
    tau: float


@dataclass(frozen=True, eq=False)
class Trained:
    """The model of the best epoch, which that was (from 1), and the whole curve."""

    model: LearnedModel
    best: int
    curve: tuple[Epoch, ...]


def train(
    feature_set: FeatureSet,
    features: FloatArray,
    is_human: npt.NDArray[np.bool_],
    validation: Validation,
    recipe: Recipe | None = None,
    *,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Train on features as `extract` gives them, and keep the epoch that people agree with most.

    With `checkpoint`, a file that training goes on from if it was stopped: the result is the same
    to the last bit as without a stop.
    """
    torch = import_torch()
    recipe = recipe or Recipe()
    _check(feature_set, features, is_human, validation)
    scaling = Scaling.of(feature_set, features)
    key = training_key(feature_set, recipe, features, is_human, validation)
    begun = new_network(features.shape[1], recipe.hidden, recipe.seed)
    state = Checkpoint.fresh([*begun.weights, *begun.biases], key).resumed(checkpoint)
    inputs = torch.from_numpy(scaling.apply(features))
    targets = torch.from_numpy(is_human.astype(np.int64))
    judged = scaling.apply(validation.features)
    with one_thread(torch):
        learner = _Learner(torch, state, recipe)
        while state.epoch < recipe.epochs and state.epoch - state.best < recipe.patience:
            loss = learner.run_epoch(inputs, targets, state.epoch)
            if not np.isfinite(loss):
                raise InputError(
                    f"training fails in epoch {state.epoch + 1}: the loss is not a number; "
                    f"lower the learning rate of {recipe.learning_rate}"
                )
            network = learner.network()
            tau = validation.tau(network.probabilities(judged))
            right = (network.probabilities(inputs.numpy()) > 0.5) == is_human
            learner.store(state)
            state.add(loss, float(right.mean()), tau)
            if progress is not None:
                progress(state.epoch, recipe.epochs, state.best_merit)
            if checkpoint is not None and state.epoch % EPOCHS_A_SAVE == 0:
                state.write(checkpoint)
    if checkpoint is not None:
        state.write(checkpoint)
    notes = {
        "recipe": recipe.to_dict(),
        "validation": validation.name,
        "tau": state.best_merit,
        "epoch": state.best,
        "samples": len(features),
    }
    model = LearnedModel(feature_set, scaling, state.best_network(), notes)
    return Trained(model, state.best, tuple(Epoch(*point) for point in state.curve))


class _Learner:
    """The network in PyTorch with its optimiser, at the point where a checkpoint left it."""

    def __init__(self, torch: Any, state: Checkpoint, recipe: Recipe) -> None:
        self._torch, self._recipe = torch, recipe
        self._arrays = [torch.tensor(array, requires_grad=True) for array in state.arrays]
        # L2 is Adam's weight decay: its gradient is added to the loss's before the moments.
        self._adam = ResumableAdam(
            self._arrays, state, recipe.learning_rate, weight_decay=recipe.l2, foreach=False
        )

    def run_epoch(self, inputs: torch.Tensor, targets: torch.Tensor, epoch: int) -> float:
        """One pass over the training set in an order that seed and epoch decide; the mean loss."""
        order = np.random.default_rng([self._recipe.seed, epoch]).permutation(len(inputs))
        total = 0.0
        for rows in self._torch.from_numpy(order).split(self._recipe.batch):
            loss = self._torch.nn.functional.cross_entropy(
                self._forward(inputs[rows]), targets[rows]
            )
            total += self._adam.step(loss) * len(rows)
        return total / len(inputs)

    def _forward(self, values: torch.Tensor) -> torch.Tensor:
        layers = len(self._arrays) // 2
        for place in range(layers):
            values = values @ self._arrays[place] + self._arrays[layers + place]
            if place < layers - 1:
                values = self._torch.relu(values)
        return values

    def network(self) -> Network:
        """The network as it is now."""
        arrays = [array.detach().numpy().copy() for array in self._arrays]
        layers = len(arrays) // 2
        return Network(tuple(arrays[:layers]), tuple(arrays[layers:]))

    def store(self, state: Checkpoint) -> None:
        """Put weights and moments where a checkpoint keeps them."""
        self._adam.store(state)


def _check(
    feature_set: FeatureSet,
    features: FloatArray,
    is_human: npt.NDArray[np.bool_],
    validation: Validation,
) -> None:
    for name, array in (("training", features), ("validation", validation.features)):
        if array.ndim != 2 or array.shape[1] != len(feature_set):
            raise InputError(
                f"{name}: {feature_set.name} has {len(feature_set)} features, not an array of "
                f"shape {array.shape}"
            )
    if len(is_human) != len(features):
        raise InputError(f"{len(features)} rows of features but {len(is_human)} labels")
    if is_human.all() or not is_human.any():
        raise InputError("training needs captions of both kinds: people's and others")
