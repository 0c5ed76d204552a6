"""Scene graphs of captions as a page shows them: the tuples that SPICE compares, and what matches.

An object of several names, as references have it that say *bike* and *bicycle*, has them with a
slash between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.metrics.spice import tuple_counts
from captious.report.browser.contents import SceneTuple
from captious.samples import References, unique_rows
from captious.text.analysis import Analysis
from captious.text.scene.scene_graph import Concept, SceneGraph
from captious.text.scene.scene_tuples import SceneTuples


@dataclass(frozen=True, eq=False)
class ReferenceScenes:
    """Scene tuples of all references of an image together, and their number by category."""

    graphs: list[SceneGraph]
    tuples: list[list[SceneTuple]]
    counts: IntArray  # one row an image, one column a category of SPICE

    @classmethod
    def of(cls, references: References) -> ReferenceScenes:
        """Read the scene graphs of every image's references."""
        of_captions = references.analysis.layer(SceneTuples).tuples
        graphs = [
            SceneGraph.of(chain.from_iterable(of_captions[row] for row in rows))
            for rows in references.rows.to_tuples()
        ]
        counts = np.array(list(map(tuple_counts, graphs)))
        return cls(graphs, list(map(displayed_tuples, graphs)), counts)


@dataclass(frozen=True, eq=False)
class CaptionScenes:
    """Scene tuples of captions, and which match between captions and references."""

    tuples: list[list[SceneTuple]]
    matched: list[list[int]]
    found: list[list[int]]

    @classmethod
    def of(
        cls,
        captions: Sequence[str],
        images: IntArray,
        references: References,
        scenes: ReferenceScenes,
    ) -> CaptionScenes:
        """Read and match the scene graphs of captions; equal captions are parsed once."""
        unique, rows = unique_rows(captions)
        base = references.analysis
        analysis = Analysis(unique, base.tokenizer, base, base.cache)
        graphs = [SceneGraph.of(tuples) for tuples in analysis.layer(SceneTuples).tuples]
        displayed = list(map(displayed_tuples, graphs))
        matches = [
            matched_indices(graphs[row], scenes.graphs[image])
            for row, image in zip(rows.tolist(), images.tolist(), strict=True)
        ]
        return cls(
            [displayed[row] for row in rows.tolist()],
            [matched for matched, _ in matches],
            [found for _, found in matches],
        )


def displayed_tuples(graph: SceneGraph) -> list[SceneTuple]:
    """Return a graph's objects, attributes and relations as the page shows them."""
    return [
        *((_join_names(each),) for each in graph.objects),
        *((_join_names(owner), _join_names(attribute)) for owner, attribute in graph.attributes),
        *(
            (_join_names(each.subject), _join_names(each), _join_names(each.object))
            for each in graph.relations
        ),
    ]


def matched_indices(candidate: SceneGraph, reference: SceneGraph) -> tuple[list[int], list[int]]:
    """Return the indices of tuples that SPICE matches: the candidate's, and the reference's."""
    places = {
        id(each): place
        for graph in (candidate, reference)
        for place, each in enumerate(
            [*graph.objects, *(attribute for _, attribute in graph.attributes), *graph.relations]
        )
    }
    similar = [reference.similar(node) for node in candidate.objects]
    pairs: list[tuple[Concept, Concept]] = [
        (node, other)
        for node, others in zip(candidate.objects, similar, strict=True)
        for other in others
    ]
    pairs += [
        (attribute, match)
        for node, attribute in candidate.attributes
        for other in similar[node.number]
        for match in other.attributes
        if attribute.is_similar(match)
    ]
    pairs += [
        (relation, other)
        for relation in candidate.relations
        for subject in similar[relation.subject.number]
        for object_ in similar[relation.object.number]
        for other in reference.between(subject, object_)
        if relation.is_similar(other)
    ]
    matched = sorted({places[id(mine)] for mine, _ in pairs})
    return matched, sorted({places[id(theirs)] for _, theirs in pairs})


def _join_names(concept: Concept) -> str:
    return "/".join(concept.words)
