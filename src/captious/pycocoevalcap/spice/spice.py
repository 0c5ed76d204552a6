"""SPICE as the toolkit's class."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from captious.checks.arguments import checked
from captious.errors import InputError
from captious.metrics.spice.spice import Spice as SpiceMetric
from captious.pycocoevalcap.tokenized import TokenizedCaptions, tokenized_corpus
from captious.samples import Samples
from captious.scorer import Scorer

# The original's names, in the order of our categories.
NAMES = ("All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size")

CategoryScores = dict[str, dict[str, float]]


class Spice:
    """SPICE 1.0, without Java and CoreNLP."""

    @checked
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, list[CategoryScores]]:
        """The mean, and each caption's scores by category, in the order of sorted ids.

        A category of which the references have no tuple has NaN for precision, recall and F.
        """
        ordered = {image: gts[image] for image in _sorted(gts)}
        corpus = tokenized_corpus(ordered, res)
        scorer = Scorer(corpus.references, [SpiceMetric()], tokenizer="whitespace")
        scores = category_scores(scorer, corpus.candidates)
        return np.float64(np.mean([each["All"]["f"] for each in scores])), scores

    def method(self) -> str:
        """The metric's name."""
        return "SPICE"


def _sorted(ids: Iterable[Any]) -> list[Any]:
    try:
        return sorted(ids)
    except TypeError:
        raise InputError("ids must all be numbers, or all texts, to be sorted") from None


def category_scores(scorer: Scorer, candidates: list[str]) -> list[CategoryScores]:
    """What the original reports of one candidate an image, category by category."""
    metric = SpiceMetric()
    samples = Samples(candidates, np.arange(len(candidates)), scorer.references)
    counts = metric.counts(samples, metric.prepare(scorer.references))
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
            name: {part: float(values[sample, place]) for part, values in parts.items()}
            for place, name in enumerate(NAMES)
        }
        for sample in range(len(candidates))
    ]
