"""SPICE: F-measure of objects, attributes and relations shared with the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.ragged import FloatArray, Ragged
from captious._internal.checks.bounds import Bounds
from captious.metrics.base import Metric, StatisticRules
from captious.samples import References, Samples
from captious.text.english import ENGLISH
from captious.text.scene.merged_graphs import MergedGraphs
from captious.text.scene.scene_graph import Concept, SceneGraph
from captious.text.scene.scene_tuples import SceneTuples

CATEGORIES = ("all", "object", "attribute", "relation", "color", "number", "size")
ALL, OBJECT, ATTRIBUTE, RELATION, COLOR, NUMBER, SIZE = range(len(CATEGORIES))

_WORDS = ENGLISH.picture_words
CATEGORY_OF = {
    **dict.fromkeys(_WORDS.COLOURS, COLOR),
    **dict.fromkeys(_WORDS.NUMBERS, NUMBER),
    **dict.fromkeys(_WORDS.SIZES, SIZE),
}
Rows = tuple[int, ...]


def tuple_counts(graph: SceneGraph) -> list[int]:
    """Count the tuples of a graph, in total and by category."""
    counts = [0] * len(CATEGORIES)
    for _, attribute in graph.attributes:
        counts[ATTRIBUTE] += 1
        if category := _category(attribute):
            counts[category] += 1
    counts[OBJECT], counts[RELATION] = len(graph.objects), len(graph.relations)
    counts[ALL] = counts[OBJECT] + counts[ATTRIBUTE] + counts[RELATION]
    return counts


class ReferenceGraphs(NamedTuple):
    """Scene graphs of images, and their numbers by the rows of an image's captions."""

    graphs: MergedGraphs
    numbers: dict[Rows, int]

    @classmethod
    def of(cls, references: References, base: MergedGraphs | None = None) -> ReferenceGraphs:
        """Build one graph for all images of the same captions."""
        tuples = references.analysis.layer(SceneTuples).tuples
        image_of = {rows: image for image, rows in enumerate(references.rows.to_tuples())}
        groups = references.rows.take(np.array(list(image_of.values()), np.int64))
        graphs = MergedGraphs.of(tuples, groups, CATEGORY_OF, base)
        return cls(graphs, {rows: number for number, rows in enumerate(image_of)})


class TupleCounts(NamedTuple):
    """Numbers of matched and of all tuples: one row a sample, one column a category."""

    matched: FloatArray
    candidate: FloatArray
    reference: FloatArray

    @classmethod
    def of(
        cls,
        candidates: MergedGraphs,
        rows: Sequence[int],
        references: MergedGraphs,
        reference_rows: Sequence[int],
    ) -> TupleCounts:
        """Count the tuples of each candidate's graph and of its references', and the matches."""
        counts = [
            candidates.count_matches(rows, references, reference_rows),
            candidates.counts[rows],
            references.counts[reference_rows],
        ]
        for each in counts:
            each[:, ALL] = each[:, [OBJECT, ATTRIBUTE, RELATION]].sum(axis=1)
        return cls(*(each.astype(np.float64) for each in counts))

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Whether a score is defined: overall, and for categories with tuples in the references."""
        defined: NDArray[np.bool_] = self.reference > 0
        defined[:, ALL] = True
        return defined

    @property
    def f_scores(self) -> FloatArray:
        """The harmonic mean of precision and recall; 0 where no tuple matches."""
        scores: FloatArray = 2 * self.matched / np.maximum(self.candidate + self.reference, 1)
        return scores


def _category(attribute: Concept) -> int:
    """Return the category of a one-word attribute: colour, number, size, or 0."""
    return CATEGORY_OF.get(attribute.words[0], 0) if len(attribute.words) == 1 else 0


@dataclass(frozen=True)
class Spice(Metric):
    """F-measure of scene tuples matched between a candidate and all its references together.

    A category of which the references have no tuple is undefined for a sample. Its column shows 0
    there, and the corpus score of the category is the mean over the samples where it is defined.
    """

    name = "spice"
    description = "F-measure of scene-graph tuples (Anderson et al., 2016)"
    english = "its parser and synonyms"
    _scores = ("spice", *(f"spice_{category}" for category in CATEGORIES[1:]))
    _defined = ("samples", *(f"{category}_samples" for category in CATEGORIES[1:]))
    statistic_names = (*_scores, *_defined)
    statistic_rules = StatisticRules(
        {
            **dict.fromkeys(_scores, Bounds(0, 1, with_most=True)),
            **dict.fromkeys(_defined, Bounds(0, 1, whole=True, with_most=True)),
            "samples": Bounds(1, 1, whole=True, with_most=True),
        },
        tuple(((score,), defined) for score, defined in zip(_scores, _defined, strict=True)),
    )

    def prepare(self, references: References) -> ReferenceGraphs:
        """One scene graph an image, of all its references."""
        return references.get_or_compute("scene graphs", lambda: ReferenceGraphs.of(references))

    def statistics(self, samples: Samples, prepared: ReferenceGraphs) -> FloatArray:
        """Each category's score, 0 where it is undefined, and whether it is defined."""
        return spice_statistics(self.counts(samples, prepared))

    def counts(self, samples: Samples, prepared: ReferenceGraphs) -> TupleCounts:
        """Count the tuples of each sample and the matches, by category."""

        def count() -> TupleCounts:
            tuples = samples.candidates.layer(SceneTuples).tuples
            alone = Ragged(np.arange(len(tuples)), np.arange(len(tuples) + 1))
            candidates = MergedGraphs.of(tuples, alone, CATEGORY_OF, prepared.graphs)
            references = [prepared.numbers[rows] for rows in samples.pairs.to_tuples()]
            return TupleCounts.of(candidates, samples.rows.tolist(), prepared.graphs, references)

        return samples.get_or_compute(TupleCounts, count)

    def scores(self, statistics: FloatArray) -> FloatArray:
        """The mean over the samples where a category is defined; 0 where it is nowhere."""
        size = len(CATEGORIES)
        defined = statistics[..., size:]
        scores: FloatArray = statistics[..., :size] / np.where(defined > 0, defined, 1.0)
        return scores

    def depends_on(self) -> dict[str, Any]:
        """SPICE's version and the parser's hash."""
        from captious.text.parser.parser import shipped_parser

        return {"version": "1.0", "parser": shipped_parser().fingerprint}


def spice_statistics(counts: TupleCounts) -> FloatArray:
    """Each category's score, 0 where it is undefined, and whether it is defined, by sample."""
    return np.hstack([np.where(counts.defined, counts.f_scores, 0.0), counts.defined])
