"""NNEval: a network of two hidden layers over eight classical scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from captious.learned.metric import LearnedMetric
from captious.resources import RESOURCES


@dataclass(frozen=True)
class NnEval(LearnedMetric):
    """How likely it is that a person wrote the caption for this image, after eight metrics."""

    weights: str | Path = RESOURCES / "learned" / "nneval.npz"

    name = "nneval"
    columns = ("nneval",)
    description = "network over METEOR, WMD, BLEU, SPICE and CIDEr-D (Sharif et al., 2018)"
