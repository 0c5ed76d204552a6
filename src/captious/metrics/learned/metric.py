"""Learned metrics: features of a sample, scaled, through a network, to one score."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from captious._internal.arrays.ragged import FloatArray, logistic
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.learned.features import Prepared
from captious.metrics.learned.weights import LearnedModel, load_model
from captious.metrics.parameters import parameter
from captious.resources import LEARNED, ResourceFiles
from captious.samples import References, Samples
from captious.signature import Address, Resource

SHELF = ResourceFiles(LEARNED, "weights", "train your own with `captious train`")


def weights_parameter(shipped: str) -> Any:
    """The weights of a metric that ships with some."""
    return parameter(LEARNED / shipped, "a file that `captious train` wrote, in place of ours")


@dataclass(frozen=True)
class NetworkMetric(Metric):
    """Probability that a person wrote the caption, by a network from a weights file.

    The file says which features are read, and how they are scaled.
    """

    weights: str | Path = parameter(what="a file that `captious train` wrote")

    english = "its features"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.model()  # fails early on an unusable file

    def english_part(self) -> str:
        """The first feature that has something English."""
        for feature in self.model().feature_set.features:
            if part := feature.metric().english_part():
                return f"its feature {feature.column}: {part}"
        return ""

    def domain_source(self) -> Any:
        """The domain that the file of weights has, too."""
        return self.model().domain

    def parts(self) -> Iterator[Metric]:
        """The metrics that its features are columns of."""
        return (feature.metric() for feature in self.model().feature_set.features)

    def model(self) -> LearnedModel:
        """Return the model of the weights file."""
        return _load_cached(*SHELF.find(self.weights))

    def prepare(self, references: References) -> Prepared:
        """Prepare the features."""
        return self.model().feature_set.prepare(references)

    def statistics(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """The score of each sample."""
        return mean_statistics(self.content(samples, prepared))

    def content(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """Return the network's probability for each sample."""
        return logistic(self.margins(samples, prepared))

    def margins(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """Return the network's logit for each sample."""
        model = self.model()
        return model.margins(model.feature_set.read(samples, prepared))

    def depends_on(self) -> dict[str, Any]:
        """The weights' hash, and every feature with its parameters."""
        model = self.model()
        name, most = SHELF.name_of(self.weights), model.feature_set.most_references
        return {
            "weights": Resource(name, model.network.fingerprint),
            "features": model.feature_set.signatures(),
            **({} if most is None else {"most_references": most}),
        }


@dataclass(frozen=True)
class LearnedMetric(NetworkMetric):
    """A metric trained by a user: its weights file is its address.

    The column is named after the feature set, unless it is named here, so that several can be
    scored together.
    """

    column: str | None = parameter(None, "the column's name, in place of the feature set's")

    name = "learned"
    columns = ("learned",)
    description = "a network over the scores of other metrics, from a weights file"

    def __post_init__(self) -> None:
        super().__post_init__()
        # A set may be named anything; a column's name is one word.
        name = re.sub(r"[^\w.-]+", "_", self.column or self.model().feature_set.name)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "columns", (name,))

    def signature(self) -> Address:
        """The file of weights with its hash, and every feature."""
        arguments: dict[str, Any] = dict(super().signature().arguments)
        weights = Resource(Path(self.weights).name, arguments.pop("weights").hash)
        arguments["column"] = None if Address(weights.name).column == self.name else self.name
        return Address.of(weights.name, arguments, weights.hash)


@lru_cache(maxsize=8)
def _load_cached(path: Path, written: int) -> LearnedModel:
    """A file's model, read once, and again when the file has been written anew."""
    return load_model(path)
