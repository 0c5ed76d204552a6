"""NNEval and LCEval: networks over scores, with weights for the papers' features or their code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from captious.metrics.base import Metric
from captious.metrics.learned.metric import NetworkMetric, weights_parameter
from captious.metrics.variants import RELEASED, variant_parameter
from captious.resources import LEARNED


@dataclass(frozen=True)
class PublishedMetric(NetworkMetric):
    """A published metric: weights from a file, or the shipped ones of one of two variants."""

    variant: str = variant_parameter()

    def __post_init__(self) -> None:
        Metric.__post_init__(self)  # before the weights are chosen and read
        if self.variant == RELEASED and self.weights == LEARNED / f"{self.name}.npz":
            object.__setattr__(self, "weights", LEARNED / f"{self.name}_{RELEASED}.npz")
        super().__post_init__()


@dataclass(frozen=True)
class NnEval(PublishedMetric):
    """Probability that a person wrote the caption, from eight scores."""

    weights: str | Path = weights_parameter("nneval.npz")

    name = "nneval"
    columns = ("nneval",)
    description = "network over METEOR, WMD, BLEU, SPICE and CIDEr (Sharif et al., 2018)"


@dataclass(frozen=True)
class LcEval(PublishedMetric):
    """Probability that a person wrote the caption, from sixteen scores."""

    weights: str | Path = weights_parameter("lceval.npz")

    name = "lceval"
    columns = ("lceval",)
    description = "network over lexical, semantic and syntactic scores (Sharif et al., 2019)"
