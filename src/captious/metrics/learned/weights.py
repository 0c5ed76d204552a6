"""Weights files: features, scaling and network of a learned metric in one `.npz`, no pickle."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, logistic
from captious.errors import InputError
from captious.io.array_files import DECIMALS, ArrayFile, Member, json_table
from captious.metrics.learned.feature_files import parse_feature_set
from captious.metrics.learned.features import FIXED, FeatureSet
from captious.metrics.learned.network import MAX_HIDDEN_LAYERS, Network
from captious.text.domain import MEMBERS, Domain

FORMAT = 1
MAX_FACTOR = 1e30  # of a feature that hardly varies
ABOUT = Member("about", json_table(format=int, features=dict, fingerprint=str, notes=dict))
SCALING = (
    Member("shift", DECIMALS, ("features",)),
    Member("factor", DECIMALS, ("features",), -MAX_FACTOR, MAX_FACTOR),
)
FILE = ArrayFile(
    "a weights file of a learned metric", "train or download it again", (ABOUT, *MEMBERS)
)


@dataclass(frozen=True, eq=False)
class Scaling:
    """A network reads (feature + shift) · factor, one shift and one factor a feature."""

    shift: FloatArray
    factor: FloatArray

    @classmethod
    def of(cls, feature_set: FeatureSet, training: FloatArray) -> Scaling:
        """Take the set's fixed scaling, or fit it: the training range becomes -1 to 1."""
        if feature_set.scaling == FIXED:
            return cls(
                np.array([feature.shift for feature in feature_set.features]),
                np.array([1.0 / feature.divisor for feature in feature_set.features]),
            )
        low, high = training.min(axis=0), training.max(axis=0)
        # A feature that never varies says nothing: it becomes 0.
        factor = np.divide(2.0, high - low, out=np.zeros(len(low)), where=high > low)
        return cls(-(low + high) / 2.0, factor)

    def apply(self, features: FloatArray) -> FloatArray:
        """Scale features; values outside the training range stay outside."""
        scaled: FloatArray = (features + self.shift) * self.factor
        return scaled


@dataclass(frozen=True, eq=False)
class LearnedModel:
    """A learned metric: its features, their scaling, and its network."""

    feature_set: FeatureSet
    scaling: Scaling
    network: Network
    notes: dict[str, Any] = field(default_factory=dict)  # how it was trained
    domain: Domain | Path | None = None  # in which features are read, kept in the same file

    def __post_init__(self) -> None:
        if self.network.widths[0] != len(self.feature_set):
            raise InputError(
                f"a network of {self.network.widths[0]} inputs for {len(self.feature_set)} features"
            )

    def scores(self, features: FloatArray) -> FloatArray:
        """A score from 0 to 1 for each row of features as the metrics give them."""
        return logistic(self.margins(features))

    def margins(self, features: FloatArray) -> FloatArray:
        """Return the logit of each row of features."""
        return self.network.margins(self.scaling.apply(features))

    def save(self, path: str | Path) -> None:
        """Write everything; equal models give equal files."""
        contents: dict[str, Any] = {
            "about": self._about(),
            "shift": self.scaling.shift,
            "factor": self.scaling.factor,
        }
        for place, (matrix, bias) in enumerate(self.network.layers):
            contents[f"weights_{place}"], contents[f"bias_{place}"] = matrix, bias
        if self.domain is not None:
            contents |= Domain.load(self.domain).contents()
        FILE.write(path, contents)

    def _about(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "features": self.feature_set.with_domain(None).to_dict(),
            "fingerprint": self.network.fingerprint,
            "notes": self.notes,
        }


def load_model(path: str | Path) -> LearnedModel:
    """Read a weights file, checked against the fingerprint that it carries."""
    with FILE.open(path) as file:
        stated = file.read(ABOUT)["about"]
        domain = Path(path) if "space_words" in file.names else None
        layers = [
            place for place in range(MAX_HIDDEN_LAYERS + 1) if f"weights_{place}" in file.names
        ]
        arrays = file.read(*SCALING, *(each for place in layers for each in _layer(place)))
    numbers = {name: array.astype(np.float64, copy=False) for name, array in arrays.items()}
    try:
        network = Network(
            tuple(numbers[f"weights_{place}"] for place in layers),
            tuple(numbers[f"bias_{place}"] for place in layers),
        )
        if stated["format"] != FORMAT or network.fingerprint != stated["fingerprint"]:
            raise InputError("damaged, or of another version")
        scaling = Scaling(numbers["shift"], numbers["factor"])
        features = parse_feature_set(stated["features"], "features")
        return LearnedModel(features.with_domain(domain), scaling, network, stated["notes"], domain)
    except InputError as error:
        raise FILE.error(path, str(error)) from None


def _layer(place: int) -> tuple[Member, Member]:
    """The arrays of a layer, which reads what the layer before it gives."""
    before = f"units of layer {place}" if place else "features"
    after = f"units of layer {place + 1}"
    return (
        Member(f"weights_{place}", DECIMALS, (before, after)),
        Member(f"bias_{place}", DECIMALS, (after,)),
    )
