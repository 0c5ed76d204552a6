"""Renderings of a scene graph: an SVG drawing of boxes, pills and arrows, or a table.

The colours are readable on white and on dark backgrounds.
"""

from __future__ import annotations

import math
from html import escape

from captious.errors import escape_control_chars
from captious.io.output_tables import render_table
from captious.report import scene_graph_layout as layout
from captious.text.scene.scene_graph import Concept, SceneGraph, SceneObject

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
LABEL_HEIGHT = 20.0
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)  # of an arrow, where its label may stand
TABLE_HEADER = ("object", "attributes", "relations")
MAX_NAMES = 3  # names of one concept that are shown

_STYLE = f"""
.scene-graph text {{ font-family: {FONT}; text-anchor: middle; dominant-baseline: central; }}
.scene-graph .box {{ fill: #2563eb; }}
.scene-graph .object {{ fill: #ffffff; font-size: 15px; font-weight: 600; }}
.scene-graph .pill {{ fill: #fde68a; stroke: #d97706; stroke-width: 1; }}
.scene-graph .attribute {{ fill: #713f12; font-size: 12.5px; }}
.scene-graph .arrow {{ fill: none; stroke: #7c8aa0; stroke-width: 1.8; }}
.scene-graph .head {{ fill: #7c8aa0; }}
.scene-graph .tag {{ fill: #f1f5f9; stroke: #7c8aa0; stroke-width: 1; }}
.scene-graph .relation {{ fill: #334155; font-size: 12.5px; font-style: italic; }}
"""


def draw_scene_graph(scene_graph: SceneGraph) -> str:
    """Return an SVG image of a scene graph."""
    labels = _join_labels(scene_graph)
    cards = [_make_card(node, (node.number, node.number) in labels) for node in scene_graph.objects]
    columns = layout.assign_columns(cards, list(labels))
    width, height = layout.place_cards(columns, labels)
    areas = [card.area for card in cards]
    taken: list[layout.Box] = []
    arrows: list[str] = []
    tags: list[str] = []
    reach: list[layout.Point] = [(0.0, 0.0), (width, height)]
    for pair, curve in layout.route_arrows(cards, list(labels)).items():
        points = [layout.point_on_curve(curve, share) for share in SHARES]
        arrows.append(_draw_arrow(curve))
        tags.append(_draw_label(labels[pair], points, taken, areas))
        reach += [
            (x + side, y + side) for x, y in points for side in (-layout.MARGIN, layout.MARGIN)
        ]
    reach += [(box[0] - 4, box[1] - 4) for box in taken]
    reach += [(box[2] + 4, box[3] + 4) for box in taken]
    left, top = (math.floor(min(point[axis] for point in reach)) for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for point in reach)) for axis in (0, 1))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="scene-graph" role="img" '
            f'viewBox="{left} {top} {right - left} {bottom - top}" '
            f'width="{right - left}" height="{bottom - top}">',
            f"<title>Scene graph: {_as_xml(', '.join(card.text for card in cards))}</title>",
            f"<style>{_STYLE}</style>",
            *arrows,
            *map(_draw_card, cards),
            *tags,
            "</svg>",
        ]
    )


def _make_card(node: SceneObject, has_loop: bool) -> layout.Card:
    text = _concept_label(node)
    box_width = max(64.0, layout.text_width(text, 16.5) + 32)
    rows: list[list[tuple[str, float]]] = []
    for attribute in node.attributes:
        name = _concept_label(attribute)
        pill = (name, layout.text_width(name, layout.LABEL_SIZE) + 20)
        # Pills fill rows that are hardly wider than the box.
        if rows and layout.row_width([*rows[-1], pill]) <= max(box_width + 40, 150):
            rows[-1].append(pill)
        else:
            rows.append([pill])
    return layout.Card(text, node.number, box_width, rows, 40.0 if has_loop else 0.0)


def _join_labels(graph: SceneGraph) -> dict[layout.Pair, str]:
    """Return one label for each ordered pair of related objects."""
    labels: dict[layout.Pair, str] = {}
    for relation in graph.relations:
        pair = (relation.subject.number, relation.object.number)
        name = _concept_label(relation)
        labels[pair] = f"{labels[pair]}, {name}" if pair in labels else name
    return labels


def _draw_arrow(curve: layout.Curve) -> str:
    """Draw a line with a head, which is a polygon: not every program turns SVG markers."""
    tip, before = curve[3], curve[2]
    length = math.hypot(tip[0] - before[0], tip[1] - before[1]) or 1.0
    dx, dy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    back = (tip[0] - 10 * dx, tip[1] - 10 * dy)
    corners = [tip, (back[0] - 5 * dy, back[1] + 5 * dx), (back[0] + 5 * dy, back[1] - 5 * dx)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    first, second, third = (f"{x:.1f},{y:.1f}" for x, y in curve[:3])
    return (
        f'<path class="arrow" d="M{first} C{second} {third} {back[0]:.1f},{back[1]:.1f}"/>'
        f'<polygon class="head" points="{points}"/>'
    )


def _draw_label(
    text: str, points: list[layout.Point], taken: list[layout.Box], areas: list[layout.Box]
) -> str:
    """Draw a relation's label at the first free place on its arrow."""
    half = layout.text_width(text, layout.LABEL_SIZE) / 2 + 9
    places = [*points, *((x, y + shift) for shift in (-24, 24, -48, 48) for x, y in points)]
    boxes = [(x - half, y - LABEL_HEIGHT / 2, x + half, y + LABEL_HEIGHT / 2) for x, y in places]
    free = (box for box in boxes if not any(layout.overlap(box, other) for other in taken + areas))
    box = next(free, boxes[0])
    taken.append(box)
    return (
        f'<rect class="tag" x="{box[0]:.1f}" y="{box[1]:.1f}" width="{2 * half:.1f}" '
        f'height="{LABEL_HEIGHT}" rx="6"/><text class="relation" x="{box[0] + half:.1f}" '
        f'y="{box[1] + LABEL_HEIGHT / 2:.1f}">{_as_xml(text)}</text>'
    )


def _draw_card(card: layout.Card) -> str:
    left, top = card.x - card.box_width / 2, card.y - layout.BOX_HEIGHT / 2
    parts = [
        f'<rect class="box" x="{left:.1f}" y="{top:.1f}" width="{card.box_width:.1f}" '
        f'height="{layout.BOX_HEIGHT}" rx="10"/>',
        f'<text class="object" x="{card.x:.1f}" y="{card.y:.1f}">{_as_xml(card.text)}</text>',
    ]
    y = top + layout.BOX_HEIGHT + layout.GAP
    for row in card.pills:
        x = card.x - layout.row_width(row) / 2
        for text, width in row:
            parts.append(
                f'<rect class="pill" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                f'height="{layout.PILL_HEIGHT}" rx="12"/><text class="attribute" '
                f'x="{x + width / 2:.1f}" y="{y + layout.PILL_HEIGHT / 2:.1f}">'
                f"{_as_xml(text)}</text>"
            )
            x += width + layout.GAP
        y += layout.PILL_HEIGHT + layout.GAP
    return "".join(parts)


def _concept_label(concept: Concept) -> str:
    """A concept's names, the first ones if there are many, none too long."""
    names = [word if len(word) <= 28 else f"{word[:27]}…" for word in concept.words[:MAX_NAMES]]
    return " / ".join([*names, "…"] if len(concept.words) > MAX_NAMES else names)


def _as_xml(text: str) -> str:
    """Escape text for XML, and replace characters that XML cannot hold."""
    return escape(
        escape_control_chars(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    )


def render_scene_graph(graph: SceneGraph, format: str = "text") -> str:
    """Return a table of objects with their attributes and relations; synonyms share a cell."""
    rows = [
        [
            _join_names(node),
            ", ".join(map(_join_names, node.attributes)),
            ", ".join(
                f"{_join_names(relation)} {_join_names(relation.object)}"
                for relation in graph.relations
                if relation.subject is node
            ),
        ]
        for node in graph.objects
    ]
    return render_table(TABLE_HEADER, rows, format, len(TABLE_HEADER))


def _join_names(concept: Concept) -> str:
    return "/".join(concept.words)
