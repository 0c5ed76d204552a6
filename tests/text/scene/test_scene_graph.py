"""Scene tuples and graphs beside SPICE 1.0's."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.report.scene_graph_layout import overlap
from captious.report.scene_graph_rendering import draw_scene_graph
from captious.text.scene.collapsed_graph import collapse
from captious.text.scene.scene_graph import SceneGraph
from captious.text.scene.scene_tuples import extract_tuples
from tests.text.scene.original_spice import (
    AGENT,
    NEXT_TO,
    ON_TOP_OF,
    PRONOUNS,
    QUANTIFIER,
    SHARED_SUBJECT,
    TWO_PREPOSITIONS,
    original_graph,
    sentence_of,
    some_captions,
)

# SPICE's tuples: subject, object and relation; object and attribute; object.
TUPLES = {
    NEXT_TO: "girl hair brush|girl bed brush_next_to|girl hair have|bed|hair|girl",
    ON_TOP_OF: "computer laptop|baby|computer|top",
    AGENT: "house bench show|house|dirt|bench",
    TWO_PREPOSITIONS: (
        "people water swim_above|people pool swim_in|people water swim_under|pool|water|people"
    ),
    SHARED_SUBJECT: "dog two|blanket|dog",
    QUANTIFIER: ("people hill stand_on|hill green|hill dog with|people a|people|hill|dog|couple"),
    PRONOUNS: "man bench lay_on|dog man sit_by|man dog have|dog|bench|man",
}


@pytest.mark.parametrize("text", TUPLES)
def test_tuples_match_spice(text: str) -> None:
    expected = [
        tuple(name.replace("_", " ") for name in names.split()) for names in TUPLES[text].split("|")
    ]
    assert extract_tuples([collapse(sentence_of(text))]) == expected


@pytest.mark.slow
def test_tuples_of_original_graphs_match_spice(shared: Path) -> None:
    rows = some_captions(shared)
    equal = sum(
        extract_tuples(map(original_graph, row["sentences"])) == [tuple(t) for t in row["tuples"]]
        for row in rows
    )
    assert equal >= 0.999 * len(rows)


def test_synonyms_are_one_object() -> None:
    graph = SceneGraph.of([("couch",), ("sofa", "red"), ("dog", "sofa", "be on"), ("zzz",)])
    assert graph.to_dict() == {
        "objects": [
            {"words": ["couch", "sofa"], "attributes": [["red"]]},
            {"words": ["dog"], "attributes": []},
            {"words": ["zzz"], "attributes": []},
        ],
        "relations": [{"subject": 1, "words": ["on"], "object": 0}],
    }


def test_attributes_and_relations_merge_by_synonym() -> None:
    tuples = [("car", "big"), ("car", "large"), ("car", "red"), ("man", "car", "drive")]
    graph = SceneGraph.of([*tuples, ("man", "car", "drive"), ("man", "car", "push")])
    assert [attribute.words for _, attribute in graph.attributes] == [["big", "large"], ["red"]]
    assert [relation.words for relation in graph.relations] == [["drive", "push"]]


def test_the_most_similar_object_is_taken_and_the_first_of_equals() -> None:
    graph = SceneGraph.of([("x1",), ("x2",), ("x1",)])
    assert [node.words for node in graph.objects] == [["x1"], ["x2"]]
    # `bathroom` and `lavatory` are both names of a room; `toilet` merges with what it shares most.
    merged = SceneGraph.of([("lavatory",), ("dog",), ("toilet",)])
    assert [node.words for node in merged.objects] == [["lavatory", "toilet"], ["dog"]]


names = st.sampled_from(["dog", "cat", "puppy", "couch", "sofa", "red", "on", "be on", "<&>", ""])
tuples = st.lists(st.lists(names | st.text(max_size=6), min_size=1, max_size=3).map(tuple))


@settings(max_examples=100, deadline=None)
@given(tuples)
def test_every_name_is_in_the_graph(rows: list[tuple[str, ...]]) -> None:
    graph = SceneGraph.of(rows)
    words = [word for node in graph.objects for word in node.words]
    assert len(set(words)) == len(words)
    assert {row[0] for row in rows} <= set(words)
    for relation in graph.relations:
        assert relation in graph.between(relation.subject, relation.object)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(tuples)
def test_drawings_are_valid_and_hold_all_text(rows: list[tuple[str, ...]]) -> None:
    graph = SceneGraph.of(rows)
    drawn = ElementTree.fromstring(draw_scene_graph(graph))
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    pairs = {(relation.subject.number, relation.object.number) for relation in graph.relations}
    assert len(texts) == len(graph.objects) + len(graph.attributes) + len(pairs)


def test_boxes_and_pills_do_not_overlap() -> None:
    for text in TUPLES:
        graph = SceneGraph.of(extract_tuples([collapse(sentence_of(text))]))
        boxes = []
        for element in ElementTree.fromstring(draw_scene_graph(graph)).iter(
            "{http://www.w3.org/2000/svg}rect"
        ):
            x, y, width, height = (float(element.attrib[k]) for k in ("x", "y", "width", "height"))
            boxes.append((x, y, x + width, y + height))
        for place, box in enumerate(boxes):
            assert not any(overlap(box, other) for other in boxes[:place])
