"""A canvas of 300 by 200 on which flat shapes are drawn, smooth at their edges."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 300, 200
PIXELS = 2  # of the picture to a unit
FINER = 4  # that shapes are drawn, before pixels are averaged
COLOURS = 128  # of a file

Point = tuple[float, float]


class Canvas:
    """Shapes one over the other, each in one colour; x goes right, y goes down."""

    def __init__(self, above: str, below: str | None = None) -> None:
        self._scale = PIXELS * FINER
        size = (WIDTH * self._scale, HEIGHT * self._scale)
        self._image = Image.new("RGB", size, above)
        if below is not None:
            column = Image.new("RGB", (1, 2))
            column.putdata([_rgb(above), _rgb(below)])
            self._image = column.resize(size, Image.Resampling.BILINEAR)
        self._draw = ImageDraw.Draw(self._image)

    def polygon(self, colour: str, *points: Point) -> None:
        """A shape with straight sides."""
        self._draw.polygon(self._scaled(points), colour)

    def ellipse(self, colour: str, x: float, y: float, wide: float, high: float) -> None:
        """An ellipse around a point, with its two radii."""
        corners = [(x - wide, y - high), (x + wide, y + high)]
        self._draw.ellipse(self._scaled(corners), colour)

    def circle(self, colour: str, x: float, y: float, radius: float) -> None:
        """A circle around a point."""
        self.ellipse(colour, x, y, radius, radius)

    def box(
        self, colour: str, left: float, top: float, right: float, bottom: float, round: float = 0
    ) -> None:
        """A box, its corners perhaps round."""
        corners = self._scaled([(left, top), (right, bottom)])
        self._draw.rounded_rectangle(corners, round * self._scale, colour)

    def limb(self, colour: str, thick: float, *points: Point) -> None:
        """A line through points, round at its joints and ends."""
        self._draw.line(self._scaled(points), colour, int(thick * self._scale))
        for x, y in points:
            self.circle(colour, x, y, thick / 2)

    def bow(self, colour: str, thick: float, start: Point, top: Point, end: Point) -> None:
        """A smooth line from a point to another, drawn towards a third."""
        self.limb(colour, thick, *_curve(start, top, end))

    def hill(self, colour: str, *heights: Point) -> None:
        """Ground below a smooth line through points, from the left edge to the right."""
        line = [(x, _height_at(x, heights)) for x in range(WIDTH + 1)]
        self.polygon(colour, (0, HEIGHT), *line, (WIDTH, HEIGHT))

    def leaf(self, colour: str, start: Point, end: Point, width: float) -> None:
        """A pointed shape between two points, round in the middle."""
        (x, y), (to_x, to_y) = start, end
        length = math.hypot(to_x - x, to_y - y)
        aside = (-(to_y - y) / length * width, (to_x - x) / length * width)
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        one = (middle[0] + aside[0], middle[1] + aside[1])
        other = (middle[0] - aside[0], middle[1] - aside[1])
        self.polygon(colour, *_curve(start, one, end), *_curve(end, other, start))

    def veil(
        self,
        colour: str,
        share: float,
        top: float,
        bottom: float,
        left: float = 0,
        right: float = WIDTH,
    ) -> None:
        """A mist or a shadow over a part of the picture."""
        (left, top), (right, bottom) = self._scaled([(left, top), (right, bottom)])
        seen = self._image.crop((left, top, right, bottom))
        mist = Image.blend(seen, Image.new("RGB", seen.size, colour), share)
        self._image.paste(mist, (int(left), int(top)))

    def save(self, path: Path) -> None:
        """Write it as a PNG of few colours."""
        size = (WIDTH * PIXELS, HEIGHT * PIXELS)
        smooth = self._image.resize(size, Image.Resampling.BOX)
        smooth.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]


def _curve(start: Point, towards: Point, end: Point, steps: int = 24) -> list[Point]:
    """Points of a quadratic Bézier curve."""
    points = []
    for step in range(steps + 1):
        t = step / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        x, y = (a * s + b * m + c * e for s, m, e in zip(start, towards, end, strict=True))
        points.append((x, y))
    return points


def _height_at(x: float, heights: tuple[Point, ...]) -> float:
    """Between two points the line leaves one and arrives at the other levelly."""
    before = max((point for point in heights if point[0] <= x), default=heights[0])
    after = min((point for point in heights if point[0] >= x), default=heights[-1])
    if after[0] == before[0]:
        return before[1]
    way = (x - before[0]) / (after[0] - before[0])
    return before[1] + (after[1] - before[1]) * (1 - math.cos(math.pi * way)) / 2


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue
