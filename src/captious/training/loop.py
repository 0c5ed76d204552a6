"""The training loop: Adam, epoch by epoch, with checkpoints, early stopping and progress.

A `Learner` holds what differs between networks: which weights there are, which losses the
batches of an epoch give, and how good the network is on data that it did not learn from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from captious._internal.backends.pytorch import import_torch, single_thread
from captious.errors import InputError
from captious.training.checkpoint import Array, Checkpoint, Point

if TYPE_CHECKING:
    import torch

LOSS = "loss"
Model = TypeVar("Model")


class BatchLoss(NamedTuple):
    """The mean loss of one batch, and over how many samples or words it was taken."""

    loss: torch.Tensor
    samples: int
    words: int | None = None  # that the loss is the mean of, where it is not that of samples
    second_loss: torch.Tensor | None = None  # learnt from as well, but no part of the curve


class Learner(ABC):
    """A trainable network with its training and validation data.

    Merit is the measure by which the best epoch is chosen: the higher the better, unless it is a
    loss.
    """

    measures: tuple[str, ...]  # what `validate` measures, by name
    merit: str  # one of them
    weights: Sequence[torch.Tensor]  # what is learnt, changed in place
    samples: int  # of an epoch

    @abstractmethod
    def batch_losses(self, epoch: int) -> Iterable[BatchLoss]:
        """Yield all batches of an epoch (from 0); epoch and seed decide all random numbers."""

    @abstractmethod
    def validate(self) -> Point:
        """Compute every measure of the network as it is now."""


@dataclass(frozen=True)
class Schedule:
    """Epochs, learning rate, early stopping, and how often a checkpoint is written."""

    epochs: int  # at most
    patience: int  # epochs without a better one, after which training ends
    learning_rate: float  # in the first epoch
    decay: float = 1.0  # of the learning rate, from epoch to epoch
    max_gradient_norm: float | None = None  # longer ones are cut to this length
    keeps_last: bool = False  # keep the last epoch instead of the best; no early stopping
    epochs_per_checkpoint: int = 1
    rate_factor: Callable[[int], float] | None = None  # of the step (from 0)
    adam: Mapping[str, Any] = field(default_factory=lambda: {"fused": True})  # PyTorch's options


class Progress(NamedTuple):
    """Progress of a training run: its epoch (from 1), and how many samples of it are done."""

    epoch: int
    epochs: int  # at most
    done: int
    samples: int
    merit: str  # by name
    best: float | None  # merit of the epochs before


Listener = Callable[[Progress], None]


@dataclass(frozen=True, eq=False)
class TrainingResult(Generic[Model]):
    """The model of the best epoch, which that was (from 1), and loss and measures of each."""

    model: Model
    best: int
    curve: tuple[Point, ...]

    @property
    def best_point(self) -> Point:
        """Loss and measures of the epoch that was kept."""
        return self.curve[self.best - 1]


def learn(
    learner: Learner,
    schedule: Schedule,
    key: str,
    *,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
    after_epoch: Callable[[int, Point], None] | None = None,
) -> TrainingResult[list[Array]]:
    """Train until the schedule ends; return the weights of the best epoch, the first of equals.

    With `keeps_last`, the last epoch counts as the best.

    With `checkpoint`, an interrupted training resumes from that file, and the result is the same
    to the last bit as without the interruption. `key` identifies all that the result depends on.
    After each epoch, `after_epoch` is called with its number (from 1) and its point of the curve.
    """
    merit, lower_is_better = learner.merit, learner.merit.endswith(LOSS)
    initial = Checkpoint.fresh(
        list(map(_to_array, learner.weights)), key, (LOSS, *learner.measures)
    )
    state = initial.resume(checkpoint)
    with single_thread(import_torch()):
        adam = _Adam(learner, state, schedule)
        while state.epoch < schedule.epochs and state.epoch - state.best < schedule.patience:
            best = state.best_point[merit] if state.best else None
            loss = adam.run_epoch(state.epoch, best, progress)
            if not np.isfinite(loss):
                raise InputError(
                    f"training fails in epoch {state.epoch + 1}: the loss is not a number; "
                    f"lower the learning rate of {schedule.learning_rate}"
                )
            adam.store(state)
            point = {LOSS: loss, **learner.validate()}
            value = point[merit]
            better = best is None or (value < best if lower_is_better else value > best)
            state.add(point, better or schedule.keeps_last)
            if after_epoch is not None:
                after_epoch(state.epoch, point)
            if checkpoint is not None and state.epoch % schedule.epochs_per_checkpoint == 0:
                state.write(checkpoint)
    if checkpoint is not None and state.epoch % schedule.epochs_per_checkpoint:
        state.write(checkpoint)
    return TrainingResult(state.kept, state.best, tuple(state.curve))


class _Adam:
    """A learner with PyTorch's Adam, both in the state of a checkpoint."""

    def __init__(self, learner: Learner, state: Checkpoint, schedule: Schedule) -> None:
        self._torch = torch = import_torch()
        self._learner, self._weights = learner, list(learner.weights)
        self._schedule, self._steps = schedule, state.steps
        with torch.no_grad():
            for weight, array in zip(self._weights, state.arrays, strict=True):
                weight.copy_(torch.tensor(array))
        self._adam = torch.optim.Adam(self._weights, lr=schedule.learning_rate, **schedule.adam)
        if state.steps:
            for weight, first, second in zip(self._weights, state.first, state.second, strict=True):
                self._adam.state[weight] = {
                    "step": torch.tensor(float(state.steps)),
                    "exp_avg": torch.tensor(first),
                    "exp_avg_sq": torch.tensor(second),
                }

    def run_epoch(self, epoch: int, best: float | None, progress: Listener | None) -> float:
        """Train on all batches of an epoch (from 0) and return the mean loss."""
        learner, schedule = self._learner, self._schedule
        self._rate = schedule.learning_rate * schedule.decay**epoch
        for group in self._adam.param_groups:
            group["lr"] = self._rate
        total, words, done = 0.0, 0, 0
        with self._torch.random.fork_rng(devices=[]):  # the caller's random state stays as it is
            for batch in learner.batch_losses(epoch):
                number = batch.samples if batch.words is None else batch.words
                total += self._step(batch) * number
                words += number
                done += batch.samples
                if progress is not None:
                    at = (epoch + 1, schedule.epochs, done, learner.samples)
                    progress(Progress(*at, learner.merit, best))
        return total / words

    def _step(self, batch: BatchLoss) -> float:
        """Train on one batch and return its loss."""
        loss, second = batch.loss, batch.second_loss
        if self._schedule.rate_factor is not None:
            for group in self._adam.param_groups:
                group["lr"] = self._rate * self._schedule.rate_factor(self._steps)
        self._adam.zero_grad()
        (loss if second is None else loss + second).backward()
        if self._schedule.max_gradient_norm is not None:
            self._torch.nn.utils.clip_grad_norm_(self._weights, self._schedule.max_gradient_norm)
        self._adam.step()
        self._steps += 1
        return float(loss.detach())

    def store(self, state: Checkpoint) -> None:
        """Copy weights and Adam's moments into a checkpoint."""
        moments = [self._adam.state[weight] for weight in self._weights]
        state.arrays = list(map(_to_array, self._weights))
        state.first = [_to_array(moment["exp_avg"]) for moment in moments]
        state.second = [_to_array(moment["exp_avg_sq"]) for moment in moments]
        state.steps = self._steps


def _to_array(tensor: torch.Tensor) -> Array:
    array: Array = tensor.detach().numpy().copy()
    return array
