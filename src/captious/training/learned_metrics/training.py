"""Training of a learned metric's network with PyTorch: human captions against negatives.

After every epoch its agreement with people is measured. PyTorch is imported when training begins
and for nothing else: scoring needs NumPy alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious._internal.backends.pytorch import import_torch
from captious.errors import InputError
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.network import Network, new_network
from captious.metrics.learned.weights import LearnedModel, Scaling
from captious.training.checkpoint import Array, Point, training_key, without_stopping_rule
from captious.training.learned_metrics.recipe import Recipe
from captious.training.learned_metrics.validation import Validation
from captious.training.loop import BatchLoss, Learner, Listener, Schedule, TrainingResult, learn

if TYPE_CHECKING:
    import torch


BENCHMARK, PROTOCOL = "flickr8k-expert", "lceval"  # as NNEval and LCEval both have it


EPOCHS_PER_CHECKPOINT = 10  # which take less time than saving
HELD_OUT_ACCURACY = "held_out_accuracy"


class LabelledFeatures(NamedTuple):
    """Unscaled features of captions, and which of them people wrote for the image."""

    features: FloatArray
    is_human: npt.NDArray[np.bool_]


def train(
    feature_set: FeatureSet,
    features: FloatArray,
    is_human: npt.NDArray[np.bool_],
    validation: Validation,
    recipe: Recipe | None = None,
    *,
    held_out: LabelledFeatures | None = None,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
) -> TrainingResult[LearnedModel]:
    """Train on features of `extract`; keep the epoch that agrees best with people.

    With `held_out`, captions that are not learned from, the curve has the share of them that is
    classified rightly, too; nothing is chosen by it. With `checkpoint`, a file that training goes
    on from if it was stopped: the result is the same to the last bit as without a stop.
    """
    recipe = recipe or Recipe()
    _check_inputs(feature_set, features, is_human, validation)
    if held_out is not None:
        _check_inputs(feature_set, *held_out, validation)
    scaling = Scaling.of(feature_set, features)
    learner = _Learner(recipe, scaling, features, is_human, validation, held_out)
    schedule = Schedule(
        recipe.epochs,
        recipe.patience,
        recipe.learning_rate,
        epochs_per_checkpoint=EPOCHS_PER_CHECKPOINT,
        # L2 is Adam's weight decay: its gradient is added to the loss's before the moments.
        adam={"weight_decay": recipe.l2, "foreach": False},
    )
    key = learned_metric_key(feature_set, recipe, features, is_human, validation, held_out)
    result = learn(learner, schedule, key, checkpoint=checkpoint, progress=progress)
    notes = {
        "recipe": recipe.to_dict(),
        "validation": validation.name,
        validation.measure: result.best_point[validation.measure],
        "best_feature": validation.best_feature(feature_set)._asdict(),
        "epoch": result.best,
        "samples": len(features),
    }
    model = LearnedModel(feature_set, scaling, _network(result.model), notes)
    return TrainingResult(model, result.best, result.curve)


def learned_metric_key(
    feature_set: FeatureSet,
    recipe: Recipe,
    features: FloatArray,
    is_human: npt.NDArray[np.bool_],
    validation: Validation,
    held_out: LabelledFeatures | None = None,
) -> str:
    """Return a hash of all that a training depends on, except the number of epochs."""
    descriptions = [feature_set.to_dict(), without_stopping_rule(recipe.to_dict())]
    return training_key(
        descriptions,
        *(features, is_human, validation.features, *validation.agreement.arrays),
        *(held_out or ()),
    )


class _Learner(Learner):
    """The network in PyTorch, all matrices before all biases, and its scaled features."""

    def __init__(
        self,
        recipe: Recipe,
        scaling: Scaling,
        features: FloatArray,
        is_human: npt.NDArray[np.bool_],
        validation: Validation,
        held_out: LabelledFeatures | None,
    ) -> None:
        self._torch = torch = import_torch()
        self._recipe, self._is_human, self._validation = recipe, is_human, validation
        self.merit = validation.measure
        measures = ("accuracy", self.merit, HELD_OUT_ACCURACY)
        self.measures = measures[:2] if held_out is None else measures
        self._held_out = held_out and held_out._replace(features=scaling.apply(held_out.features))
        self._inputs, self._validation_inputs = map(scaling.apply, (features, validation.features))
        network = new_network(features.shape[1], recipe.hidden, recipe.seed)
        self.samples = len(features)
        self.weights = [
            torch.tensor(array, requires_grad=True) for array in (*network.weights, *network.biases)
        ]

    def batch_losses(self, epoch: int) -> Iterator[BatchLoss]:
        """Yield batches of the training set, in an order decided by seed and epoch."""
        torch = self._torch
        inputs = torch.from_numpy(self._inputs)
        targets = torch.from_numpy(self._is_human.astype(np.int64))
        order = np.random.default_rng([self._recipe.seed, epoch]).permutation(self.samples)
        for rows in torch.from_numpy(order).split(self._recipe.batch):
            scores = self._forward(inputs[rows])
            yield BatchLoss(torch.nn.functional.cross_entropy(scores, targets[rows]), len(rows))

    def _forward(self, values: torch.Tensor) -> torch.Tensor:
        layers = len(self.weights) // 2
        for place in range(layers):
            values = values @ self.weights[place] + self.weights[layers + place]
            if place < layers - 1:
                values = self._torch.relu(values)
        return values

    def validate(self) -> Point:
        """Return accuracy on the training set, and agreement with people."""
        network = _network([weight.detach().numpy().copy() for weight in self.weights])
        accuracy = _accuracy(network, LabelledFeatures(self._inputs, self._is_human))
        agreement = self._validation.agreement.of(network.probabilities(self._validation_inputs))
        held_out = self._held_out
        held_out_measures = (
            {} if held_out is None else {HELD_OUT_ACCURACY: _accuracy(network, held_out)}
        )
        return {"accuracy": accuracy, self.merit: agreement, **held_out_measures}


def _accuracy(network: Network, scaled: LabelledFeatures) -> float:
    """The share that is classified correctly."""
    return float(((network.probabilities(scaled.features) > 0.5) == scaled.is_human).mean())


def _network(arrays: list[Array]) -> Network:
    layers = len(arrays) // 2
    return Network(tuple(arrays[:layers]), tuple(arrays[layers:]))


def _check_inputs(
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
        raise InputError("training needs human captions and negatives")
