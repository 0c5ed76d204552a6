"""Curves of metrics: agreement by number of references, and scores of captions made worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.report.plots.canvas import (
    EDGE,
    FONT_SIZE,
    figure_for,
    format_number,
    panels_for,
    shorten,
)
from captious.report.plots.curve_styles import (
    LABEL_HEIGHT,
    curve_marker,
    curve_style,
    label_panels,
    line_end,
)

MAX_LABEL_CHARS = 30
WIDTH, MIN_HEIGHT, EXTRA_HEIGHT = 7.0, 4.4, 1.2  # inches
PANEL_WIDTH, MIN_PANEL_HEIGHT, EXTRA_PANEL_HEIGHT = 3.7, 3.0, 0.9  # inches
MAX_COLUMNS, MAX_PANEL_LABEL_CHARS = 3, 22
ROBUSTNESS_LABELS = (
    "strength \N{GREEK SMALL LETTER GAMMA} in %"
    " (beside each name: the area under its curve, lower is more robust)",
    "score, human caption = 1",
)

Curves = Mapping[str, Mapping[str, FloatArray]]


class Point(NamedTuple):
    """A figure and its 95% interval; without resamples, the ends of the interval are NaN."""

    value: float
    low: float
    high: float


def plot_by_references(
    path: str | Path,
    title: str,
    ylabel: str,
    curves: Mapping[str, Mapping[int, Point]],
) -> None:
    """Draw one line a metric over the number of references, with shaded intervals.

    A curve has a point for each of its numbers. Names stand at the lines' ends.
    """
    counts = _counts_of(curves)
    height = max(MIN_HEIGHT, EXTRA_HEIGHT + len(curves) * LABEL_HEIGHT / 72)
    shade = min(0.14, 0.6 / len(curves))  # many intervals, one over the other, stay pale
    with figure_for(path, WIDTH, height, title) as figure:
        axes = figure.subplots()
        axes.set_xscale("log")
        ends = []
        for number, (metric, points) in enumerate(curves.items()):
            x = sorted(points)
            value, low, high = np.array([points[count] for count in x], dtype=np.float64).T
            style = curve_style(number)
            axes.fill_between(x, low, high, color=style["color"], alpha=shade, linewidth=0)
            axes.plot(x, value, marker=curve_marker(number), markersize=4, **style)
            if len(x) == 1:  # which has no width to shade
                axes.vlines(x, low, high, color=style["color"], linewidth=0.8)
            name = shorten(metric, MAX_LABEL_CHARS)
            text = name if np.isfinite(value).any() else f"{name} (undefined)"
            ends.append(line_end(x, value.tolist(), text, number))
        # Half a tick of room at either end, in the axis's own measure.
        axes.set_xlim(counts[0] / 1.08, counts[-1] * 1.08)
        axes.set_xticks(counts, [""] * len(counts))
        axes.set_xticks([], minor=True)
        axes.grid(visible=True, axis="y")
        axes.set_xlabel("references")
        axes.set_ylabel(ylabel)
        label_panels(figure, [axes], [ends])
        figure.draw_without_rendering()  # names at the right leave less room for the ticks
        width = axes.get_window_extent().width / figure.dpi * 72
        axes.set_xticks(counts, _tick_labels(counts, width))


def _counts_of(curves: Mapping[str, Mapping[int, Point]]) -> list[int]:
    """Return the numbers of references of all curves, in order."""
    counts = sorted(set().union(*curves.values()))
    if not counts:
        raise InputError("nothing to plot; give numbers of references and at least one curve")
    if counts[0] < 1:
        raise InputError(f"numbers of references are 1 or more, not {counts[0]}")
    return counts


def _tick_labels(counts: Sequence[int], width: float) -> list[str]:
    """Return tick labels, empty where two would touch; first, last and round numbers win."""
    places = np.log(np.array(counts, dtype=np.float64))
    places *= width / max(float(places[-1] - places[0]), 1e-9)
    halves = np.array([len(str(count)) for count in counts]) * FONT_SIZE * 0.64 / 2 + 2
    last = len(counts) - 1
    order = sorted(
        range(len(counts)), key=lambda index: (index not in (0, last), _roundness(counts[index]))
    )
    shown: list[int] = []
    for index in order:
        if (np.abs(places[shown] - places[index]) >= halves[shown] + halves[index]).all():
            shown.append(index)
    return [str(count) if index in shown else "" for index, count in enumerate(counts)]


def _roundness(count: int) -> tuple[bool, int]:
    """Sort key by which round numbers (1, 2, 5, 10, 20, 50 and so on) come first."""
    return str(count).rstrip("0") not in ("1", "2", "5"), count


def plot_robustness(
    path: str | Path, strengths: Sequence[float], curves: Curves, title: str = ""
) -> None:
    """Draw one panel a transformation and one line a metric, named with the area under it.

    `curves` are by transformation, then by metric: the score over the human caption's at each
    strength (per cent). The area is over strengths from 0 to 1, by the trapezium rule; lower is
    more robust.
    """
    _check_robustness(strengths, curves)
    metrics = list(dict.fromkeys(metric for lines in curves.values() for metric in lines))
    height = max(MIN_PANEL_HEIGHT, EXTRA_PANEL_HEIGHT + len(metrics) * LABEL_HEIGHT / 72)
    x = [float(strength) for strength in strengths]
    columns, size = min(len(curves), MAX_COLUMNS), (PANEL_WIDTH, height)
    with panels_for(
        path, len(curves), columns, size, title, ROBUSTNESS_LABELS, share_y=True
    ) as drawing:
        figure, grid = drawing
        ends = []
        for axes, (name, lines) in zip(grid, curves.items(), strict=True):
            # A metric that notices nothing stays at 1.
            axes.axhline(1, color=EDGE, linewidth=0.8)
            panel_ends = []
            for metric, line in lines.items():
                place = metrics.index(metric)
                axes.plot(x, line, **curve_style(place))
                text = f"{shorten(metric, MAX_PANEL_LABEL_CHARS)}  {format_number(_area(x, line))}"
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


def _check_robustness(strengths: Sequence[float], curves: Curves) -> None:
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
