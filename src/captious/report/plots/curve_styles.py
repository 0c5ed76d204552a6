"""Curve styles: lines that can be told apart, without colour too, and labels at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.report.plots.canvas import FONT_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which the colour-blind can tell apart, without yellow, which is too pale
# for a line on white; the orange and the light blue are darkened a little for the same reason.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c4609a", "#d99000", "#3a9bd9", "#333333")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.6)), (0, (1.2, 1.2)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

LABEL_SIZE = FONT_SIZE - 0.5
LABEL_HEIGHT = LABEL_SIZE * 1.3  # points from one label to the next
LABEL_GAP = 16.0  # points between a line's end and its label


class LineEnd(NamedTuple):
    """Where a curve ends, and what its label says."""

    x: float
    y: float
    text: str
    colour: str


def curve_style(number: int) -> dict[str, Any]:
    """Return colour and dash of the n-th curve; the dash changes where colours begin again."""
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": dash}


def curve_marker(number: int) -> str:
    """Return the marker of the n-th curve, shifted where colours begin again."""
    return MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]


def line_end(x: Sequence[float], y: Sequence[float], text: str, number: int) -> LineEnd:
    """Return a curve's last finite point for its label; a curve without one is labelled below."""
    there = np.flatnonzero(np.isfinite(np.asarray(y, dtype=np.float64)))
    colour = COLOURS[number % len(COLOURS)]
    if not len(there):
        return LineEnd(float(x[-1]), float("nan"), text, colour)
    last = int(there[-1])
    return LineEnd(float(x[last]), float(y[last]), text, colour)


def label_panels(figure: Figure, panels: Sequence[Axes], ends: Sequence[Sequence[LineEnd]]) -> None:
    """Draw labels right of each panel, after its limits are set and everything else is drawn.

    Labels change the width of a panel and not its height.
    """
    figure.draw_without_rendering()  # from which on the layout is known
    for axes, ends_inside in zip(panels, ends, strict=True):
        _label_ends(figure, axes, ends_inside)


def _label_ends(figure: Figure, axes: Axes, ends: Sequence[LineEnd]) -> None:
    """Draw labels right of a panel, each as near its line's end as its neighbours allow."""
    from matplotlib.transforms import ScaledTranslation

    height = axes.get_window_extent().height / figure.dpi * 72
    bottom, top = axes.get_ylim()
    heights = np.nan_to_num([end.y for end in ends], nan=bottom)
    places = spread((heights - bottom) / (top - bottom) * height, LABEL_HEIGHT, 0.0, height)
    beside = axes.transAxes + ScaledTranslation(LABEL_GAP / 72, 0, figure.dpi_scale_trans)
    for end, y, place in zip(ends, heights, places, strict=True):
        # A leader thin enough not to be taken for a curve shows which line a moved label is of.
        leader = {"arrowstyle": "-", "color": end.colour, "linewidth": 0.6, "relpos": (0, 0.5)}
        axes.annotate(
            end.text,
            xy=(end.x, float(y)),
            xytext=(1.0, float(place) / height),
            textcoords=beside,
            color=end.colour,
            fontsize=LABEL_SIZE,
            verticalalignment="center_baseline",
            annotation_clip=False,
            arrowprops={**leader, "shrinkA": 1.5, "shrinkB": 4},
        )


def spread(wanted: FloatArray, gap: float, low: float, high: float) -> FloatArray:
    """Return places at least a gap apart, within bounds, as near to the wanted ones as possible.

    Least squares: less the gaps before it, each place may not fall below the one before, so that
    places in conflict share the mean of what they wanted. Without room for all, gaps shrink.
    """
    count = len(wanted)
    gap = min(gap, (high - low) / max(count - 1, 1))
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(count)
    blocks: list[tuple[float, int]] = []  # mean, size
    for value in (wanted[order] - steps).tolist():
        mean, size = value, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, size = (before * many + mean * size) / (many + size), many + size
        blocks.append((mean, size))
    free = np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])
    places = np.empty(count)
    places[order] = np.clip(free, low, high - steps[-1]) + steps
    return places
