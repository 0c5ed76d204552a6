"""SPICE: F-measure of objects, attributes and relations shared with the references."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, Ragged
from captious._internal.checks.bounds import Bounds
from captious.metrics.base import Metric
from captious.metrics.spice.overlap import CATEGORIES, TupleCounts
from captious.metrics.statistic_rules import StatisticRules
from captious.samples import References, Samples
from captious.text.scene.scene_graph import SceneGraph
from captious.text.scene.scene_tuples import SceneTuples

Rows = tuple[int, ...]


@dataclass(frozen=True)
class Spice(Metric):
    """F-measure of scene tuples matched between a candidate and all its references together.

    A category of which the references have no tuple is undefined for a sample. Its column shows 0
    there, and the corpus score of the category is the mean over the samples where it is defined.
    """

    name = "spice"
    columns = ("spice", *(f"spice_{category}" for category in CATEGORIES[1:]))
    description = "F-measure of scene-graph tuples (Anderson et al., 2016)"
    english = "its parser and synonyms"
    _defined = ("samples", *(f"{category}_samples" for category in CATEGORIES[1:]))
    statistic_names = (*columns, *_defined)
    statistic_rules = StatisticRules(
        {
            **dict.fromkeys(columns, Bounds(0, 1, with_most=True)),
            **dict.fromkeys(_defined, Bounds(0, 1, whole=True, with_most=True)),
            "samples": Bounds(1, 1, whole=True, with_most=True),
        },
        tuple(((score,), defined) for score, defined in zip(columns, _defined, strict=True)),
    )

    def prepare(self, references: References) -> dict[Rows, SceneGraph]:
        """One scene graph an image, of all its references, by their rows in the analysis."""

        def graphs() -> dict[Rows, SceneGraph]:
            tuples = references.analysis.layer(SceneTuples).tuples
            return {
                rows: SceneGraph.of(chain.from_iterable(tuples[row] for row in rows))
                for rows in dict.fromkeys(row_tuples(references.rows))
            }

        return references.get_or_compute("scene graphs", graphs)

    def statistics(self, samples: Samples, prepared: dict[Rows, SceneGraph]) -> FloatArray:
        """Each category's score, 0 where it is undefined, and whether it is defined."""
        return spice_statistics(self.counts(samples, prepared))

    def counts(self, samples: Samples, prepared: dict[Rows, SceneGraph]) -> TupleCounts:
        """Count the tuples of each sample and the matches, by category."""

        def count() -> TupleCounts:
            tuples = samples.candidates.layer(SceneTuples).tuples
            candidates = [SceneGraph.of(caption) for caption in tuples]
            return TupleCounts.of(
                [candidates[row] for row in samples.rows.tolist()],
                [prepared[rows] for rows in row_tuples(samples.pairs)],
            )

        return samples.get_or_compute(TupleCounts, count)

    def scores(self, statistics: FloatArray) -> FloatArray:
        """The mean over the samples where a category is defined; 0 where it is nowhere."""
        size = len(CATEGORIES)
        defined = statistics[..., size:]
        scores: FloatArray = statistics[..., :size] / np.where(defined > 0, defined, 1.0)
        return scores

    def depends_on(self) -> dict[str, Any]:
        """SPICE's version and the parser's hash."""
        from captious.text.parser.parses import shipped_parser

        return {"version": "1.0", "parser": shipped_parser().fingerprint}


def spice_statistics(counts: TupleCounts) -> FloatArray:
    """Each category's score, 0 where it is undefined, and whether it is defined, by sample."""
    return np.hstack([np.where(counts.defined, counts.f_scores, 0.0), counts.defined])


def row_tuples(rows: Ragged) -> list[Rows]:
    """The rows of each set of captions, by which `prepare` has their scene graphs."""
    values, offsets = rows.values.tolist(), rows.offsets.tolist()
    return [tuple(values[start:end]) for start, end in pairwise(offsets)]
