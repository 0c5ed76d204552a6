"""Checkpoints: all that training needs to go on where it was stopped, in one `.npz`."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io.files import read_bytes, written_whole
from captious.learned.features import FeatureSet
from captious.learned.network import Network
from captious.learned.recipe import Recipe
from captious.learned.validation import Validation
from captious.ragged import FloatArray

_KINDS = ("arrays", "first", "second", "kept")


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
    def fresh(cls, network: Network, key: str) -> Checkpoint:
        """Before the first epoch."""
        arrays = [*network.weights, *network.biases]
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
        about = {"key": self.key, "steps": self.steps, "best": self.best, "curve": self.curve}
        arrays: dict[str, Any] = {
            f"{kind}_{place}": array
            for kind in _KINDS
            for place, array in enumerate(getattr(self, kind))
        }
        with written_whole(path) as stream:
            np.savez(stream, about=np.array(json.dumps(about)), **arrays)

    @classmethod
    def read(cls, path: str | Path, key: str) -> Checkpoint | None:
        """Where training of this key stands; nothing where there is no file yet."""
        if not Path(path).exists():
            return None
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                number = sum(name.startswith("kept_") for name in file.files)
                arrays, first, second, kept = (
                    [file[f"{kind}_{place}"] for place in range(number)] for kind in _KINDS
                )
                curve = [(float(a), float(b), float(c)) for a, b, c in about["curve"]]
                steps, best = int(about["steps"]), int(about["best"])
                found = cls(about["key"], arrays, first, second, kept, steps, best, curve)
        except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
            raise InputError(f"{path}: not a checkpoint ({error}); remove it") from None
        if found.key != key:
            raise InputError(
                f"{path}: a checkpoint of another training (other data, features or recipe); "
                "remove it or name another file"
            )
        return found


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
