"""NNEval: a network of two hidden layers over eight classical scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from captious.learned.published import SHIPPED, PublishedMetric


@dataclass(frozen=True)
class NnEval(PublishedMetric):
    """How likely it is that a person wrote the caption for this image, after eight metrics."""

    weights: str | Path = SHIPPED / "nneval.npz"

    name = "nneval"
    columns = ("nneval",)
    description = "network over METEOR, WMD, BLEU, SPICE and CIDEr-D (Sharif et al., 2018)"
