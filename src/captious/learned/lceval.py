"""LCEval: a network of one hidden layer over lexical, semantic and syntactic scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from captious.learned.published import SHIPPED, PublishedMetric


@dataclass(frozen=True)
class LcEval(PublishedMetric):
    """How likely it is that a person wrote the caption for this image, after sixteen scores."""

    weights: str | Path = SHIPPED / "lceval.npz"

    name = "lceval"
    columns = ("lceval",)
    description = "network over lexical, semantic and syntactic scores (Sharif et al., 2019)"
