"""Checkpoints: all that training needs to go on where it was stopped, in one `.npz`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.files.array_files import DECIMALS, LARGEST, ArrayFile, Member, about
from captious.files.inputs import is_there
from captious.learned.features import FeatureSet
from captious.learned.network import Network
from captious.training.learned_metrics.recipe import Recipe
from captious.training.learned_metrics.validation import Validation

_KINDS = ("arrays", "first", "second", "kept")
_MOST_STEPS = 1 << 53
ABOUT = Member("about", about(key=str, steps=int, best=int, curve=list))
FILE = ArrayFile("a checkpoint", "remove it", (ABOUT,), most=1 << 33)


@dataclass(eq=False)
class Checkpoint:
    """Weights (all matrices, then all biases), Adam's moments, the best weights, the curve."""

    key: str  # of the training that it belongs to
    arrays: list[FloatArray]
    first: list[FloatArray]
    second: list[FloatArray]
    kept: list[FloatArray]  # the arrays of the best epoch
    steps: int = 0
    best: int = 0
    curve: list[tuple[float, float, float]] = field(default_factory=list)

    @classmethod
    def fresh(cls, arrays: Sequence[npt.NDArray[Any]], key: str) -> Checkpoint:
        """Before the first epoch, with the weights that training begins with."""
        arrays = list(arrays)
        nothing = [np.zeros_like(array) for array in arrays]
        return cls(key, arrays, nothing, nothing, arrays)

    @property
    def epoch(self) -> int:
        """How many epochs are done."""
        return len(self.curve)

    @property
    def best_merit(self) -> float:
        """The highest merit so far: agreement with people, or the lowest loss with a minus."""
        return self.curve[self.best - 1][2] if self.best else 0.0

    def add(self, loss: float, accuracy: float, merit: float) -> None:
        """Note an epoch, and keep its weights if it is the best, the first of equals."""
        self.curve.append((loss, accuracy, merit))
        if not self.best or merit > self.best_merit:
            self.best, self.kept = self.epoch, self.arrays

    def best_network(self) -> Network:
        """The network of the best epoch."""
        layers = len(self.kept) // 2
        return Network(tuple(self.kept[:layers]), tuple(self.kept[layers:]))

    def write(self, path: str | Path) -> None:
        """Write whole or not at all, so that a kill costs the last epochs and nothing else."""
        said = {"key": self.key, "steps": self.steps, "best": self.best, "curve": self.curve}
        arrays: dict[str, Any] = {
            f"{kind}_{place}": array
            for kind in _KINDS
            for place, array in enumerate(getattr(self, kind))
        }
        FILE.write(path, {"about": said, **arrays})

    def resumed(self, path: str | Path | None) -> Checkpoint:
        """Where this training stood when it was stopped; here, where there is no file yet."""
        if path is None or not is_there(path):
            return self
        with FILE.opened(path) as file:
            said = file.read(ABOUT)["about"]
            if said["key"] != self.key:
                raise InputError(
                    f"{path}: a checkpoint of another training (other data, features or recipe); "
                    "remove it or name another file"
                )
            arrays, first, second, kept = (
                list(file.read(*self._members(kind)).values()) for kind in _KINDS
            )
        steps, best, curve = said["steps"], said["best"], said["curve"]
        if not all(map(_is_point, curve)):
            raise FILE.unsound(path, "its curve is not of three numbers an epoch")
        if not (0 <= steps <= _MOST_STEPS and min(1, len(curve)) <= best <= len(curve)):
            raise FILE.unsound(path, f"{steps} steps, the best after epoch {best} of {len(curve)}")
        points = [(float(loss), float(accuracy), float(merit)) for loss, accuracy, merit in curve]
        return Checkpoint(self.key, arrays, first, second, kept, steps, best, points)

    def _members(self, kind: str) -> list[Member]:
        """The arrays of a kind, as large as those that training begins with."""
        low = 0 if kind == "second" else None  # which are squares
        return [
            Member(f"{kind}_{place}", DECIMALS, array.shape, low)
            for place, array in enumerate(self.arrays)
        ]


def _is_point(value: object) -> bool:
    """Whether a value is three numbers, as the curve has them for each epoch."""
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(number, int | float) for number in value)
        and all(-LARGEST <= number <= LARGEST for number in value)
    )


def training_key(
    feature_set: FeatureSet,
    recipe: Recipe,
    features: FloatArray,
    is_human: npt.NDArray[np.bool_],
    validation: Validation,
) -> str:
    """A hash of all that a training depends on, save how many epochs it may take."""
    said = {**recipe.to_dict(), "epochs": None, "patience": None}
    digest = hashlib.sha256(json.dumps([feature_set.to_dict(), said], sort_keys=True).encode())
    votes = validation.votes
    for array in (features, is_human, validation.features, votes.captions, votes.values):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
