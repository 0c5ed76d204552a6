"""A plot of agreement against the number of references: one line a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from captious.errors import InputError
from captious.report.plots.canvas import FONT_SIZE, figure_for, shorten
from captious.report.plots.curve_styles import (
    LABEL_HEIGHT,
    curve_style,
    label_panels,
    line_end,
    marker_of,
)

MAX_LABEL_CHARS = 30
WIDTH, MIN_HEIGHT, EXTRA_HEIGHT = 7.0, 4.4, 1.2  # inches


class Point(NamedTuple):
    """A figure and its 95 % interval; without resamples, the ends of the interval are NaN."""

    value: float
    low: float
    high: float


def plot_by_references(
    path: str | Path,
    title: str,
    ylabel: str,
    counts: Sequence[int],
    curves: Mapping[str, Sequence[Point]],
) -> None:
    """Draw one line a metric over the number of references, with shaded intervals.

    `counts` grow from 1 or more, and every curve has one point for each. Names stand at the lines'
    ends.
    """
    _check(counts, curves)
    x = [float(count) for count in counts]
    height = max(MIN_HEIGHT, EXTRA_HEIGHT + len(curves) * LABEL_HEIGHT / 72)
    shade = min(0.14, 0.6 / len(curves))  # many intervals, one over the other, stay pale
    with figure_for(path, WIDTH, height, title) as figure:
        axes = figure.subplots()
        axes.set_xscale("log")
        ends = []
        for number, (metric, points) in enumerate(curves.items()):
            value, low, high = np.array(points, dtype=np.float64).T
            style = curve_style(number)
            axes.fill_between(x, low, high, color=style["color"], alpha=shade, linewidth=0)
            axes.plot(x, value, marker=marker_of(number), markersize=4, **style)
            if len(x) == 1:  # which has no width to shade
                axes.vlines(x, low, high, color=style["color"], linewidth=0.8)
            name = shorten(metric, MAX_LABEL_CHARS)
            text = name if np.isfinite(value).any() else f"{name} (undefined)"
            ends.append(line_end(x, value.tolist(), text, number))
        # Half a tick of room at either end, in the axis's own measure.
        axes.set_xlim(x[0] / 1.08, x[-1] * 1.08)
        axes.set_xticks(x, [""] * len(x))
        axes.set_xticks([], minor=True)
        axes.grid(visible=True, axis="y")
        axes.set_xlabel("references")
        axes.set_ylabel(ylabel)
        label_panels(figure, [axes], [ends])
        figure.draw_without_rendering()  # names at the right leave less room for the ticks
        width = axes.get_window_extent().width / figure.dpi * 72
        axes.set_xticks(x, _tick_labels(counts, width))


def _check(counts: Sequence[int], curves: Mapping[str, Sequence[Point]]) -> None:
    if not curves or not len(counts):
        raise InputError("nothing to plot; give numbers of references and at least one curve")
    if counts[0] < 1 or any(after <= before for before, after in pairwise(counts)):
        raise InputError(f"numbers of references must grow from 1 or more, not {list(counts)}")
    for metric, points in curves.items():
        if len(points) != len(counts):
            raise InputError(
                f"{metric}: {len(points)} points for {len(counts)} numbers of references; "
                "give one for each"
            )


def _tick_labels(counts: Sequence[int], width: float) -> list[str]:
    """The numbers as text, empty where one would touch another; first, last and round ones win."""
    places = np.log(np.array(counts, dtype=np.float64))
    places *= width / max(float(places[-1] - places[0]), 1e-9)
    halves = np.array([len(str(count)) for count in counts]) * FONT_SIZE * 0.64 / 2 + 2
    last = len(counts) - 1
    order = sorted(
        range(len(counts)), key=lambda index: (index not in (0, last), _rank(counts[index]))
    )
    shown: list[int] = []
    for index in order:
        if (np.abs(places[shown] - places[index]) >= halves[shown] + halves[index]).all():
            shown.append(index)
    return [str(count) if index in shown else "" for index, count in enumerate(counts)]


def _rank(count: int) -> tuple[bool, int]:
    """Round numbers (1, 2, 5, 10, 20, 50 and so on) come before the others."""
    return str(count).rstrip("0") not in ("1", "2", "5"), count
