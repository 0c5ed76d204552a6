"""Learned metrics: features of a sample, scaled, through a network, to one score."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from captious.arrays.logistic import logistic
from captious.arrays.ragged import FloatArray
from captious.files.inputs import last_written
from captious.learned.features import Prepared
from captious.learned.weights import LearnedModel, load_model
from captious.metrics.base import Metric, averaged
from captious.samples import References, Samples

NAMELESS = "learned"


@dataclass(frozen=True)
class LearnedMetric(Metric):
    """How likely it is that a person wrote the caption, after a weights file.

    `weights` names the file, which says which features are read. The metric and its column have the
    name of that feature set, so that several can be scored together.
    """

    weights: str | Path

    name = NAMELESS
    columns = (NAMELESS,)
    description = "a network over the scores of other metrics, from a weights file"

    def __post_init__(self) -> None:
        super().__post_init__()
        model = self.model()  # a file that cannot be used is said now, not after the work
        if type(self).name == NAMELESS:
            # A set may be named anything; the signature is one line with its own separators.
            name = re.sub(r"[^\w.-]+", "_", model.feature_set.name)
            object.__setattr__(self, "name", name)
            object.__setattr__(self, "columns", (name,))

    def model(self) -> LearnedModel:
        """What the weights file holds."""
        path = Path(self.weights)
        return _loaded(str(path), last_written(path))

    def prepare(self, references: References) -> Prepared:
        """What the features need of the references."""
        return self.model().feature_set.prepare(references)

    def statistics(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """The score of each sample."""
        return averaged(self.content(samples, prepared))

    def content(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """What the network makes of each sample's features."""
        return logistic(self.margins(samples, prepared))

    def margins(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """The same before it becomes a chance: how many nats speak for the caption."""
        model = self.model()
        return model.margins(model.feature_set.read(samples, prepared))

    def signature(self) -> str:
        """The weights' hash, and every feature with its parameters."""
        model = self.model()
        features = model.feature_set.signature()
        return f"{self.name}(weights={model.network.fingerprint},features={features})"


@lru_cache(maxsize=8)
def _loaded(path: str, written: int) -> LearnedModel:
    """A file's model, read once, and again when the file has been written anew."""
    return load_model(path)
