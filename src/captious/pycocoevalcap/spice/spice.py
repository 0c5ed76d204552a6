"""SPICE as the toolkit's class."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious._internal.garbage_collection import pause_garbage_collection
from captious.corpus import ReferenceColumns
from captious.io.cache import default_cache
from captious.metrics.spice import ReferenceGraphs, TupleCounts
from captious.pycocoevalcap.spice.get_stanford_models import get_stanford_models
from captious.pycocoevalcap.tokenized import (
    TokenizedCaptions,
    check_ids,
    sorted_ids,
    tokenized_corpus,
)
from captious.samples import References
from captious.text.scene.merged_graphs import MergedGraphs

__all__ = ["Spice", "get_stanford_models"]

# The original's names, in the order of our categories.
NAMES = ("All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size")

CategoryScores = dict[str, dict[str, float]]


class Spice:
    """SPICE 1.0, without Java and CoreNLP."""

    def __init__(self) -> None:
        get_stanford_models()

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, list[CategoryScores]]:
        """The mean, and each caption's scores by category, in the order of sorted ids.

        A category of which the references have no tuple has NaN for precision, recall and F.
        """
        tokenized_corpus(gts, res)  # one candidate an image
        return self.score_together(gts, res)

    def score_together(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, list[CategoryScores]]:
        """The same of any number of candidates an image, whose tuples are taken together."""
        check_ids(gts, res)
        ids = sorted_ids(gts)
        with pause_garbage_collection():
            theirs, their_rows = scene_graphs(gts, ids)
            ours, our_rows = scene_graphs(res, ids, theirs)
            counts = TupleCounts.of(ours, our_rows, theirs, their_rows)
            scores = _by_category(counts)
        return np.float64(np.mean([each["All"]["f"] for each in scores])), scores

    def float_convert(self, obj: Any) -> float:
        """A number, or NaN for what is none."""
        try:
            return float(obj)
        except (TypeError, ValueError):
            return float("nan")

    def method(self) -> str:
        """The metric's name."""
        return "SPICE"


def scene_graphs(
    captions: TokenizedCaptions, ids: Sequence[Hashable], base: MergedGraphs | None = None
) -> tuple[MergedGraphs, list[int]]:
    """One scene graph an image, of all its captions together, and the rows of these images."""
    columns = ReferenceColumns.of(captions)
    sets = References.of(columns, "whitespace", default_cache())
    graphs, numbers = ReferenceGraphs.of(sets, base)
    row_of = dict(zip(columns.ids, sets.rows.to_tuples(), strict=True))
    return graphs, [numbers[row_of[image]] for image in ids]


def _by_category(counts: TupleCounts) -> list[CategoryScores]:
    """What the original reports of each image, category by category."""
    undefined = np.where(counts.defined, 0.0, np.nan)
    parts = {
        "pr": counts.matched / np.maximum(counts.candidate, 1) + undefined,
        "re": counts.matched / np.maximum(counts.reference, 1) + undefined,
        "f": counts.f_scores + undefined,
        "fn": counts.reference - counts.matched,
        "numImages": np.ones_like(counts.matched),
        "fp": counts.candidate - counts.matched,
        "tp": counts.matched,
    }
    return [
        {
            name: {part: float(values[image, place]) for part, values in parts.items()}
            for place, name in enumerate(NAMES)
        }
        for image in range(len(counts.matched))
    ]
