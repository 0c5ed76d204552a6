"""SPICE's counts of matches between two scene graphs, concept by concept."""

from __future__ import annotations

from captious.metrics.spice import ALL, ATTRIBUTE, CATEGORIES, OBJECT, RELATION
from captious.metrics.spice import _category as category_of
from captious.text.scene.scene_graph import SceneGraph


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
            if category := category_of(attribute):
                counts[category] += any(category_of(match) == category for match in matches)
    for relation in candidate.relations:
        counts[RELATION] += any(
            relation.is_similar(other)
            for subject in similar[relation.subject.number]
            for object_ in similar[relation.object.number]
            for other in reference.between(subject, object_)
        )
    counts[ALL] = counts[OBJECT] + counts[ATTRIBUTE] + counts[RELATION]
    return counts
