"""Weights files: features, scaling and network of a learned metric in one `.npz`, no pickle."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.files import read_bytes, written_whole
from captious.learned.feature_files import feature_set_of
from captious.learned.features import FeatureSet
from captious.learned.network import Network, logistic
from captious.learned.scaling import Scaling
from captious.ragged import FloatArray

FORMAT = 1


@dataclass(frozen=True, eq=False)
class LearnedModel:
    """All that a learned metric is: what it reads, how it scales it, and what it makes of it."""

    feature_set: FeatureSet
    scaling: Scaling
    network: Network
    notes: dict[str, Any] = field(default_factory=dict)  # how it was trained

    def __post_init__(self) -> None:
        if self.network.widths[0] != len(self.feature_set):
            raise InputError(
                f"a network of {self.network.widths[0]} inputs for {len(self.feature_set)} features"
            )

    def scores(self, features: FloatArray) -> FloatArray:
        """A score from 0 to 1 for each row of features as the metrics give them."""
        return logistic(self.margins(features))

    def margins(self, features: FloatArray) -> FloatArray:
        """The same before it becomes a chance."""
        return self.network.margins(self.scaling.apply(features))

    def save(self, path: str | Path) -> None:
        """Write everything; equal models give equal files."""
        arrays: dict[str, Any] = {
            "about": np.array(self._about()),
            "shift": self.scaling.shift,
            "factor": self.scaling.factor,
        }
        for place, (matrix, bias) in enumerate(self.network.layers):
            arrays[f"weights_{place}"], arrays[f"bias_{place}"] = matrix, bias
        with written_whole(path) as stream:
            np.savez(stream, **arrays)

    def _about(self) -> str:
        about = {
            "format": FORMAT,
            "features": self.feature_set.to_dict(),
            "fingerprint": self.network.fingerprint,
            "notes": self.notes,
        }
        return json.dumps(about, ensure_ascii=False, sort_keys=True)


def load_model(path: str | Path) -> LearnedModel:
    """Read a weights file, checked against the fingerprint that it carries."""
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            layers = range(sum(name.startswith("weights_") for name in arrays.files))
            network = Network(
                tuple(_numbers(arrays[f"weights_{place}"]) for place in layers),
                tuple(_numbers(arrays[f"bias_{place}"]) for place in layers),
            )
            scaling = Scaling(_numbers(arrays["shift"]), _numbers(arrays["factor"]))
            said, features = about["fingerprint"], about["features"]
            notes, version = about["notes"], about["format"]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not a weights file of a learned metric ({error})") from None
    if version != FORMAT or network.fingerprint != said:
        raise InputError(f"{path}: damaged, or of another version; train or download it again")
    if not scaling.shift.shape == scaling.factor.shape == (network.widths[0],):
        raise InputError(f"{path}: its scaling does not fit its network; train it again")
    return LearnedModel(feature_set_of(features, str(path)), scaling, network, notes)


def _numbers(array: Any) -> FloatArray:
    return np.asarray(array, np.float64)
