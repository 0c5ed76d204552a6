"""Checkpoints: everything needed to resume a training, in one `.npz` file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io.array_files import DECIMALS, MAX_MAGNITUDE, ArrayFile, Member, json_table
from captious.io.inputs import exists

Array = npt.NDArray[Any]
Point = dict[str, float]  # of the training curve: an epoch's loss and measures, by name

_KINDS = ("arrays", "first", "second", "kept")
_MAX_STEPS = 1 << 53
ABOUT = Member("about", json_table(key=str, steps=int, best=int, curve=list))
FILE = ArrayFile("a checkpoint", "remove it", (ABOUT,), max_bytes=1 << 33)


@dataclass(eq=False)
class Checkpoint:
    """Weights, Adam's moments, the weights of the best epoch, and the training curve."""

    key: str  # of the training that it belongs to
    measures: tuple[str, ...]  # that each point of the curve has
    arrays: list[Array]
    first: list[Array]
    second: list[Array]
    kept: list[Array]  # the arrays of the best epoch
    steps: int = 0
    best: int = 0
    curve: list[Point] = field(default_factory=list)

    @classmethod
    def fresh(cls, arrays: Sequence[Array], key: str, measures: Sequence[str]) -> Checkpoint:
        """Return the checkpoint before the first epoch, with the initial weights."""
        arrays = list(arrays)
        nothing = [np.zeros_like(array) for array in arrays]
        return cls(key, tuple(measures), arrays, nothing, nothing, arrays)

    @property
    def epoch(self) -> int:
        """The number of completed epochs."""
        return len(self.curve)

    @property
    def best_point(self) -> Point:
        """The curve's point of the best epoch; there must be one."""
        return self.curve[self.best - 1]

    def add(self, point: Point, is_best: bool) -> None:
        """Append an epoch to the curve, and keep its weights if it is the best."""
        self.curve.append(point)
        if is_best:
            self.best, self.kept = self.epoch, self.arrays

    def write(self, path: str | Path) -> None:
        """Write atomically, so that a killed process loses at most the last epochs."""
        table = {"key": self.key, "steps": self.steps, "best": self.best, "curve": self.curve}
        arrays: dict[str, Any] = {
            f"{kind}_{place}": array
            for kind in _KINDS
            for place, array in enumerate(getattr(self, kind))
        }
        FILE.write(path, {"about": table, **arrays})

    def resume(self, path: str | Path | None) -> Checkpoint:
        """Return the checkpoint in a file, or this one if there is no file yet."""
        if path is None or not exists(path):
            return self
        with FILE.open(path) as file:
            table = file.read(ABOUT)["about"]
            if table["key"] != self.key:
                raise InputError(
                    f"{path}: a checkpoint of another training (other data, features or recipe); "
                    "remove it or name another file"
                )
            arrays, first, second, kept = (
                list(file.read(*self._members(kind)).values()) for kind in _KINDS
            )
        steps, best, curve = table["steps"], table["best"], table["curve"]
        if not all(map(self._is_point, curve)):
            raise FILE.error(path, f"its curve is not of {', '.join(self.measures)} an epoch")
        if not (0 <= steps <= _MAX_STEPS and min(1, len(curve)) <= best <= len(curve)):
            raise FILE.error(path, f"{steps} steps, the best after epoch {best} of {len(curve)}")
        points = [{name: float(point[name]) for name in self.measures} for point in curve]
        return Checkpoint(self.key, self.measures, arrays, first, second, kept, steps, best, points)

    def _members(self, kind: str) -> list[Member]:
        """The declared arrays of a kind, in the shapes of the initial weights."""
        low = 0 if kind == "second" else None  # which are squares
        return [
            Member(f"{kind}_{place}", DECIMALS, array.shape, low)
            for place, array in enumerate(self.arrays)
        ]

    def _is_point(self, value: object) -> bool:
        """Whether a value has a number for each measure."""
        return (
            isinstance(value, dict)
            and set(value) == set(self.measures)
            and all(isinstance(number, int | float) for number in value.values())
            and all(-MAX_MAGNITUDE <= number <= MAX_MAGNITUDE for number in value.values())
        )


def check_checkpoint(path: str | Path | None) -> None:
    """Raise an error if the file exists and is no checkpoint, before any work is done."""
    if path is not None and exists(path):
        with FILE.open(path) as file:
            file.read(ABOUT)


def without_stopping_rule(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recipe without epochs and patience, which may change when training resumes."""
    return {**recipe, "epochs": None, "patience": None}


def training_key(*parts: Any) -> str:
    """Return a hash of what a training depends on: arrays and JSON values."""
    digest = hashlib.sha256()
    for part in parts:
        is_array = isinstance(part, np.ndarray)
        digest.update(part.tobytes() if is_array else json.dumps(part, sort_keys=True).encode())
    return digest.hexdigest()
