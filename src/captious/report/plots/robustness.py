"""A plot of robustness: how scores fall as captions are transformed more and more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.report.plots.canvas import EDGE, number, panels_for, shorten
from captious.report.plots.curve_styles import LABEL_HEIGHT, curve_style, label_panels, line_end

PANEL_WIDTH, MIN_HEIGHT, EXTRA_HEIGHT = 3.7, 3.0, 0.9  # inches
MAX_COLUMNS, MAX_LABEL_CHARS = 3, 22
LABELS = (
    "strength \N{GREEK SMALL LETTER GAMMA} in %"
    " (beside each name: the area under its curve, lower is more robust)",
    "score, human caption = 1",
)

Curves = Mapping[str, Mapping[str, FloatArray]]


def plot_robustness(
    path: str | Path, strengths: Sequence[float], curves: Curves, title: str = ""
) -> None:
    """Draw one panel a transformation and one line a metric, named with the area under it.

    `curves` are by transformation, then by metric: the score over the human caption's at each
    strength (per cent). The area is over strengths from 0 to 1, by the trapezium rule; lower is
    more robust.
    """
    _check(strengths, curves)
    metrics = list(dict.fromkeys(metric for lines in curves.values() for metric in lines))
    height = max(MIN_HEIGHT, EXTRA_HEIGHT + len(metrics) * LABEL_HEIGHT / 72)
    x = [float(strength) for strength in strengths]
    columns, size = min(len(curves), MAX_COLUMNS), (PANEL_WIDTH, height)
    with panels_for(path, len(curves), columns, size, title, LABELS, share_y=True) as drawing:
        figure, grid = drawing
        ends = []
        for axes, (name, lines) in zip(grid, curves.items(), strict=True):
            # A metric that notices nothing stays at 1.
            axes.axhline(1, color=EDGE, linewidth=0.8)
            panel_ends = []
            for metric, line in lines.items():
                place = metrics.index(metric)
                axes.plot(x, line, **curve_style(place))
                text = f"{shorten(metric, MAX_LABEL_CHARS)}  {number(_area(x, line))}"
                panel_ends.append(line_end(x, np.asarray(line).tolist(), text, place))
            ends.append(panel_ends)
            axes.grid(visible=True, axis="y")
            axes.set_title(name.replace("_", " "))
            axes.set_xlim(x[0], x[-1])
        grid[0].set_ylim(bottom=min(0.0, grid[0].get_ylim()[0]))
        label_panels(figure, grid, ends)


def _area(strengths: Sequence[float], line: FloatArray) -> float:
    heights = np.asarray(line, dtype=np.float64)
    return float((heights[1:] + heights[:-1]) / 2 @ np.diff(strengths)) / 100


def _check(strengths: Sequence[float], curves: Curves) -> None:
    if not curves or not all(curves.values()):
        raise InputError("nothing to plot; give each transformation the curve of a metric or more")
    if len(strengths) < 2 or not (np.diff(strengths) > 0).all():
        raise InputError(f"strengths must be two or more and grow, not {list(strengths)}")
    for name, lines in curves.items():
        for metric, line in lines.items():
            if np.shape(line) != (len(strengths),):
                raise InputError(
                    f"{name}, {metric}: a curve of shape {np.shape(line)}; "
                    f"give one point for each of {len(strengths)} strengths"
                )
