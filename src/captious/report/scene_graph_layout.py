"""Where the parts of a drawn scene graph stand: objects in columns, arrows between them.

An object stands right of those that point to it, where that can be; arrows run through the room
between columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

BOX_HEIGHT, PILL_HEIGHT = 38.0, 24.0
GAP = 8.0  # between a box and its pills, and between pills
ROW_GAP, COLUMN_GAP, MARGIN = 40.0, 64.0, 18.0
LABEL_SIZE = 12.5

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Curve = tuple[Point, Point, Point, Point]  # a cubic Bézier curve
Pair = tuple[int, int]  # the places of a subject and an object in the graph


@dataclass(slots=True)
class Card:
    """An object's box with its pills below it; x and y are the middle of the box."""

    text: str
    number: int
    box_width: float
    pills: list[list[tuple[str, float]]]  # rows of texts and widths
    room_above: float = 0.0  # for an arrow to itself
    column: int = 0
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """The width of the box or of the widest row of pills."""
        return max([self.box_width, *(row_width(row) for row in self.pills)])

    @property
    def height(self) -> float:
        """The height of box and pills, and of what needs room above them."""
        return self.room_above + BOX_HEIGHT + len(self.pills) * (PILL_HEIGHT + GAP)

    @property
    def area(self) -> Box:
        """Where nothing else should stand."""
        top = self.y - BOX_HEIGHT / 2 - 4
        height = self.height - self.room_above + 8
        return (self.x - self.width / 2 - 4, top, self.x + self.width / 2 + 4, top + height)


def assign_columns(cards: list[Card], pairs: list[Pair]) -> list[list[Card]]:
    """Return cards by column: an object stands right of its subjects, cycles aside."""
    for subject, object_ in _remove_cycles(len(cards), pairs):
        cards[object_].column = max(cards[object_].column, cards[subject].column + 1)
    related = {number for pair in pairs for number in pair}
    count = max((card.column for card in cards), default=-1) + 1
    if not related:
        count = math.ceil(math.sqrt(len(cards)))
    columns: list[list[Card]] = [[] for _ in range(count)]
    for card in cards:
        if card.number in related:
            columns[card.column].append(card)
    for before, column in pairwise(columns):
        place = {card.number: index for index, card in enumerate(before)}
        column.sort(key=lambda card: _mean_place([s for s, o in pairs if o == card.number], place))
    # What is related to nothing fills up the shortest columns.
    for card in cards:
        if card.number not in related:
            shortest = min(columns, key=len)
            card.column = columns.index(shortest)
            shortest.append(card)
    return columns


def _mean_place(neighbours: list[int], place: dict[int, int]) -> float:
    known = [place[number] for number in neighbours if number in place]
    return sum(known) / len(known) if known else len(place)


def _remove_cycles(size: int, pairs: list[Pair]) -> list[Pair]:
    """Return edges in topological order, without those that close a cycle."""
    outgoing: dict[int, list[int]] = {}
    for subject, object_ in pairs:
        outgoing.setdefault(subject, []).append(object_)
    entered, left = bytearray(size), bytearray(size)
    order: list[int] = []
    kept: set[Pair] = set()
    for start in range(size):
        stack = [] if entered[start] else [(start, iter(outgoing.get(start, [])))]
        entered[start] = 1
        while stack:
            node, remaining = stack[-1]
            for child in remaining:
                if not entered[child] or left[child]:
                    kept.add((node, child))
                if not entered[child]:
                    entered[child] = 1
                    stack.append((child, iter(outgoing.get(child, []))))
                    break
            else:
                stack.pop()
                left[node] = 1
                order.append(node)
    return [
        (node, child)
        for node in reversed(order)
        for child in outgoing.get(node, [])
        if (node, child) in kept
    ]


def place_cards(columns: list[list[Card]], labels: dict[Pair, str]) -> Point:
    """Place every card; the labels on arrows decide how far apart columns are."""
    heights = [sum(card.height + ROW_GAP for card in column) - ROW_GAP for column in columns]
    tallest = max(heights, default=0.0)
    x = MARGIN
    for index, (column, height) in enumerate(zip(columns, heights, strict=True)):
        # Boxes of one width leave the room between columns to the arrows.
        widest = max(card.box_width for card in column)
        for card in column:
            card.box_width = widest
        width = max(card.width for card in column)
        y = MARGIN + (tallest - height) / 2
        for card in column:
            card.x, card.y = x + width / 2, y + card.room_above + BOX_HEIGHT / 2
            y += card.height + ROW_GAP
        x += width
        if index + 1 < len(columns):
            both = {card.number for card in column + columns[index + 1]}
            texts = [text for pair, text in labels.items() if both.issuperset(pair)]
            x += max([COLUMN_GAP, *(text_width(text, LABEL_SIZE) + 70 for text in texts)])
    return x + MARGIN, tallest + 2 * MARGIN


def route_arrows(cards: list[Card], pairs: list[Pair]) -> dict[Pair, Curve]:
    """Return the curve of each arrow, from a side of one box to a side of another."""
    ends: dict[tuple[int, int], list[tuple[float, Pair]]] = {}
    for pair in pairs:
        start, end = cards[pair[0]], cards[pair[1]]
        if start is not end:
            leaves, enters = _sides(start, end)
            ends.setdefault((start.number, leaves), []).append((end.y, pair))
            ends.setdefault((end.number, enters), []).append((start.y, pair))
    # Arrows on one side of a box are spread, in the order of where they lead.
    offsets: dict[tuple[int, Pair], float] = {}
    for (number, _), arrows in ends.items():
        step = min(11.0, (BOX_HEIGHT - 12) / max(len(arrows) - 1, 1))
        for index, (_, pair) in enumerate(sorted(arrows)):
            offsets[number, pair] = (index - (len(arrows) - 1) / 2) * step
    curves: dict[Pair, Curve] = {}
    known = set(pairs)
    for pair in pairs:
        start, end = cards[pair[0]], cards[pair[1]]
        if start is end:
            x, y = start.x, start.y - BOX_HEIGHT / 2
            curves[pair] = ((x - 18, y), (x - 36, y - 44), (x + 36, y - 44), (x + 18, y - 2))
        else:
            shift = (offsets[start.number, pair], offsets[end.number, pair])
            others = [card.area for card in cards if card is not start and card is not end]
            # Two arrows in opposite directions bow apart.
            bow = -30.0 * _sides(start, end)[0] if pair[::-1] in known else 0.0
            curves[pair] = _free_curve(start, end, shift, bow, others)
    return curves


def _sides(start: Card, end: Card) -> tuple[int, int]:
    """Return the sides where an arrow leaves one box and enters another: 1 is right, -1 left."""
    if start.column == end.column:
        return 1, 1
    return (1, -1) if start.column < end.column else (-1, 1)


def _free_curve(start: Card, end: Card, shift: Point, bow: float, others: list[Box]) -> Curve:
    """Return a curve between two boxes that misses all other boxes, if one is found."""
    leaves, enters = _sides(start, end)
    first = (start.x + leaves * (start.box_width / 2 + 2), start.y + shift[0])
    last = (end.x + enters * (end.box_width / 2 + 2), end.y + shift[1])
    reach = max(36.0, abs(last[0] - first[0]) * 0.45)
    tried: list[Curve] = []
    for bend in (bow, -50.0, 50.0, -100.0, 100.0, -160.0, 160.0):
        curve = (
            first,
            (first[0] + leaves * reach, first[1] + bend),
            (last[0] + enters * reach, last[1] + bend),
            last,
        )
        tried.append(curve)
        way = [point_on_curve(curve, step / 24) for step in range(25)]
        if not any(overlap((x, y, x, y), box) for x, y in way for box in others):
            return curve
    return tried[0]


def point_on_curve(curve: Curve, share: float) -> Point:
    rest = 1 - share
    weights = (rest**3, 3 * share * rest**2, 3 * share**2 * rest, share**3)
    return (
        sum(weight * x for weight, (x, _) in zip(weights, curve, strict=True)),
        sum(weight * y for weight, (_, y) in zip(weights, curve, strict=True)),
    )


def overlap(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def row_width(row: list[tuple[str, float]]) -> float:
    return sum(width for _, width in row) + GAP * (len(row) - 1)


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text; fonts differ, so rather too much."""
    narrow = sum(text.count(letter) for letter in "fijlrt.,:;'| /")
    return size * (0.60 * (len(text) - narrow) + 0.38 * narrow)
