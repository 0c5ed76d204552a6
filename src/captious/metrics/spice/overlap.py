"""Counts of matching scene-graph tuples, by category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.ragged import FloatArray
from captious.text.english import ENGLISH
from captious.text.scene.scene_graph import Concept, SceneGraph

CATEGORIES = ("all", "object", "attribute", "relation", "color", "number", "size")
ALL, OBJECT, ATTRIBUTE, RELATION, COLOR, NUMBER, SIZE = range(len(CATEGORIES))

_WORDS = ENGLISH.picture_words
_CATEGORY_OF = {
    **dict.fromkeys(_WORDS.COLOURS, COLOR),
    **dict.fromkeys(_WORDS.NUMBERS, NUMBER),
    **dict.fromkeys(_WORDS.SIZES, SIZE),
}


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


def matched_counts(candidate: SceneGraph, reference: SceneGraph) -> list[int]:
    """Count the candidate's tuples that match a tuple of the reference in every element.

    A colour has to be matched by a colour to count as one, and likewise numbers and sizes.
    """
    counts = [0] * len(CATEGORIES)
    similar = [reference.similar(node) for node in candidate.objects]
    for node, others in zip(candidate.objects, similar, strict=True):
        counts[OBJECT] += bool(others)
        for attribute in node.attributes:
            matches = [
                match
                for other in others
                for match in other.attributes
                if attribute.is_similar(match)
            ]
            counts[ATTRIBUTE] += bool(matches)
            if category := _category(attribute):
                counts[category] += any(_category(match) == category for match in matches)
    for relation in candidate.relations:
        counts[RELATION] += any(
            relation.is_similar(other)
            for subject in similar[relation.subject.number]
            for object_ in similar[relation.object.number]
            for other in reference.between(subject, object_)
        )
    counts[ALL] = counts[OBJECT] + counts[ATTRIBUTE] + counts[RELATION]
    return counts


class TupleCounts(NamedTuple):
    """Numbers of matched and of all tuples: one row a sample, one column a category."""

    matched: FloatArray
    candidate: FloatArray
    reference: FloatArray

    @classmethod
    def of(cls, candidates: Sequence[SceneGraph], references: Sequence[SceneGraph]) -> TupleCounts:
        """Count the tuples of each candidate's graph and of its references', and the matches."""
        # A graph may serve many samples: an image's, where several captions of it are scored.
        extract_tuples = {id(graph): tuple_counts(graph) for graph in (*candidates, *references)}
        counts = (
            [matched_counts(*pair) for pair in zip(candidates, references, strict=True)],
            [extract_tuples[id(graph)] for graph in candidates],
            [extract_tuples[id(graph)] for graph in references],
        )
        shape = (len(candidates), len(CATEGORIES))
        return cls(*(np.array(rows, np.float64).reshape(shape) for rows in counts))

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Where there is a score: in all, and in categories of which references have a tuple."""
        defined: NDArray[np.bool_] = self.reference > 0
        defined[:, ALL] = True
        return defined

    @property
    def f_scores(self) -> FloatArray:
        """The harmonic mean of precision and recall; 0 where no tuple matches."""
        scores: FloatArray = 2 * self.matched / np.maximum(self.candidate + self.reference, 1)
        return scores


def _category(attribute: Concept) -> int:
    """Whether an attribute is a colour, number or size, or 0; one of several words is none."""
    return _CATEGORY_OF.get(attribute.words[0], 0) if len(attribute.words) == 1 else 0
