"""The training loop by itself: what it keeps, when it ends, whom it tells, and how it goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.training.checkpoint import Checkpoint, Point, training_key, without_stopping_rule
from captious.training.loop import BatchLoss, Learner, Progress, Schedule, TrainingResult, learn

torch = pytest.importorskip("torch")


class Toy(Learner):
    """Two numbers that approach (1, 2), four samples an epoch, and merits as they are given."""

    measures = ("size", "merit")
    merit = "merit"
    samples = 4

    def __init__(self, *merits: float, factor: float = 1.0) -> None:
        self.weights = [torch.zeros(2, requires_grad=True)]
        self._merits, self._factor, self._epoch = merits, factor, 0

    def batch_losses(self, epoch: int) -> Iterator[BatchLoss]:
        self._epoch = epoch
        for samples in (3, 1):
            distance = ((self.weights[0] - torch.tensor([1.0, 2.0])) ** 2).sum()
            yield BatchLoss(self._factor * distance, samples)

    def validate(self) -> Point:
        size = float(self.weights[0].detach().abs().sum())
        return {"size": size, "merit": self._merits[self._epoch % len(self._merits)]}


class Falling(Toy):
    """The same, its merit a loss."""

    measures = ("size", "toy_loss")
    merit = "toy_loss"

    def validate(self) -> Point:
        point = super().validate()
        return {"size": point["size"], "toy_loss": point["merit"]}


def schedule(epochs: int = 5, patience: int = 9, **choices: Any) -> Schedule:
    return Schedule(epochs, patience, 0.1, **choices)


def same(one: TrainingResult[Any], other: TrainingResult[Any]) -> bool:
    weights = zip(one.model, other.model, strict=True)
    return one.curve == other.curve and all((a == b).all() for a, b in weights)


def test_the_first_of_the_best_epochs_is_kept() -> None:
    rising = learn(Toy(0.1, 0.5, 0.5, 0.2), schedule(4), "key")
    assert (rising.best, rising.best_point["merit"]) == (2, 0.5)
    assert float(np.abs(rising.model[0]).sum()) == rising.best_point["size"]
    assert learn(Falling(0.4, 0.1, 0.1, 0.2), schedule(4), "key").best == 2


def test_patience_ends_training() -> None:
    assert len(learn(Toy(0.3, 0.2, 0.1), schedule(50, 2), "key").curve) == 3


def test_last_epoch_is_kept_if_scheduled() -> None:
    falling = learn(Toy(0.3, 0.2, 0.1), schedule(3, 1, keeps_last=True), "key")
    assert falling.best == len(falling.curve) == 3
    assert float(np.abs(falling.model[0]).sum()) == falling.best_point["size"]


def test_progress_has_position_and_best_merit() -> None:
    heard: list[Progress] = []
    learn(Toy(0.3, 0.2), schedule(2), "key", progress=heard.append)
    assert heard == [
        Progress(1, 2, 3, 4, "merit", None),
        Progress(1, 2, 4, 4, "merit", None),
        Progress(2, 2, 3, 4, "merit", 0.3),
        Progress(2, 2, 4, 4, "merit", 0.3),
    ]


def test_after_epoch_receives_number_and_point() -> None:
    told: list[tuple[int, Point]] = []
    done = learn(Toy(0.3, 0.2), schedule(3), "key", after_epoch=lambda *at: told.append(at))
    assert [epoch for epoch, _ in told] == [1, 2, 3]
    assert [point for _, point in told] == list(done.curve)
    assert list(done.curve[0]) == ["loss", "size", "merit"]


def test_the_learning_rate_decays_and_gradients_are_cut() -> None:
    plain, slower, cut = (
        learn(Toy(0.1), chosen, "key").curve[-1]["loss"]
        for chosen in (schedule(), schedule(decay=0.5), schedule(max_gradient_norm=1e-12))
    )
    assert plain < slower < cut


@pytest.mark.parametrize("epochs_per_checkpoint", [1, 2])
def test_resumed_loop_is_bit_identical(tmp_path: Path, epochs_per_checkpoint: int) -> None:
    chosen = schedule(7, decay=0.9, epochs_per_checkpoint=epochs_per_checkpoint)
    path = tmp_path / "state.npz"

    def stop(at: Progress) -> None:
        if (at.epoch, at.done) == (6, 3):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(Toy(0.1, 0.3, 0.2), chosen, "key", checkpoint=path, progress=stop)
    heard: list[Progress] = []
    again = learn(Toy(0.1, 0.3, 0.2), chosen, "key", checkpoint=path, progress=heard.append)
    assert heard[0].epoch == {1: 6, 2: 5}[epochs_per_checkpoint]
    assert same(again, learn(Toy(0.1, 0.3, 0.2), chosen, "key"))
    assert list(again.curve[0]) == ["loss", "size", "merit"]


def test_nan_loss_is_an_error() -> None:
    with pytest.raises(InputError, match="epoch 1: the loss is not a number; lower the learning"):
        learn(Toy(0.1, factor=float("inf")), schedule(), "key")


def test_checkpoints_of_another_training_or_an_earlier_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    learn(Toy(0.1), schedule(1), "key", checkpoint=path)
    with pytest.raises(InputError, match="a checkpoint of another training"):
        learn(Toy(0.1), schedule(2), "other", checkpoint=path)
    with pytest.raises(InputError, match="its curve is not of loss, size, toy_loss an epoch"):
        learn(Falling(0.1), schedule(2), "key", checkpoint=path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    table = json.loads(str(arrays["about"]))
    table["curve"] = [[0.5, 0.5, 0.1]]  # as points were kept before they had names
    np.savez(path, **{**arrays, "about": np.array(json.dumps(table))})
    with pytest.raises(InputError, match=r"its curve is not of loss, size, merit.*; remove it"):
        learn(Toy(0.1), schedule(2), "key", checkpoint=path)


def test_the_key_is_of_arrays_and_words_but_not_of_epochs() -> None:
    short, long = ({"epochs": epochs, "patience": 1, "rate": 0.1} for epochs in (1, 2))
    rows = np.arange(6.0).reshape(2, 3)
    assert training_key(without_stopping_rule(short), rows) == training_key(
        without_stopping_rule(long), rows
    )
    assert training_key(without_stopping_rule(short), rows) != training_key(
        without_stopping_rule({**short, "rate": 1}), rows
    )
    assert training_key(rows) != training_key(rows + 1)
    assert training_key(rows.T) == training_key(np.ascontiguousarray(rows.T)) != training_key(rows)


def test_a_fresh_checkpoint_has_no_best_epoch() -> None:
    fresh = Checkpoint.fresh([np.zeros(2)], "key", ("loss",))
    assert (fresh.epoch, fresh.best, fresh.steps) == (0, 0, 0)
