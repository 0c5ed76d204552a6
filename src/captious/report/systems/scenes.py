"""Scene graphs of captions as a page shows them: the tuples that SPICE compares, and their counts.

An object of several names, as references have it that say *man* and *guy*, has them with a slash
between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious.arrays.ragged import IntArray
from captious.metrics.spice.overlap import tuple_counts
from captious.metrics.spice.spice import row_tuples
from captious.report.browser.contents import SceneTuple
from captious.samples import References, unique_rows
from captious.text.analysis import Analysis
from captious.text.scene.scene_graph import Concept, SceneGraph
from captious.text.scene.scene_tuples import SceneTuples


@dataclass(frozen=True, eq=False)
class ReferenceScenes:
    """What all references of an image say together: its tuples, and how many of each category."""

    tuples: list[list[SceneTuple]]
    counts: IntArray  # one row an image, one column a category of SPICE

    @classmethod
    def of(cls, references: References) -> ReferenceScenes:
        """Of every image."""
        of_captions = references.analysis.layer(SceneTuples).tuples
        graphs = [
            SceneGraph.of(chain.from_iterable(of_captions[row] for row in rows))
            for rows in row_tuples(references.rows)
        ]
        return cls(list(map(shown_tuples, graphs)), np.array(list(map(tuple_counts, graphs))))


def caption_scenes(captions: Sequence[str], references: References) -> list[list[SceneTuple]]:
    """The tuples of captions, each different one parsed once, as the references were."""
    unique, rows = unique_rows(captions)
    base = references.analysis
    tuples = Analysis(unique, base.tokenizer, base, base.cache).layer(SceneTuples).tuples
    of_unique = [shown_tuples(SceneGraph.of(caption)) for caption in tuples]
    return [of_unique[row] for row in rows.tolist()]


def shown_tuples(graph: SceneGraph) -> list[SceneTuple]:
    """A graph's objects, attributes and relations; a relation stands between its two objects."""
    return [
        *((_named(each),) for each in graph.objects),
        *((_named(owner), _named(attribute)) for owner, attribute in graph.attributes),
        *((_named(each.subject), _named(each), _named(each.object)) for each in graph.relations),
    ]


def _named(concept: Concept) -> str:
    return "/".join(concept.words)
