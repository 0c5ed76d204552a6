"""A scene graph as a table: one row an object, with its attributes and its relations."""

from __future__ import annotations

from captious.io.output_tables import render_table
from captious.text.scene.scene_graph import Concept, SceneGraph

HEADER = ("object", "attributes", "relations")


def render_scene_graph(graph: SceneGraph, format: str = "text") -> str:
    """The graph in any of the formats that tables have; names of one meaning share a place."""
    rows = [
        [
            _named(node),
            ", ".join(map(_named, node.attributes)),
            ", ".join(
                f"{_named(relation)} {_named(relation.object)}"
                for relation in graph.relations
                if relation.subject is node
            ),
        ]
        for node in graph.objects
    ]
    return render_table(HEADER, rows, format, len(HEADER))


def _named(concept: Concept) -> str:
    return "/".join(concept.words)
