"""Plots of panels: curves, or points, with their names beside them; the course of a training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from captious._internal.checks.arguments import check_fields
from captious.errors import InputError
from captious.io.json import number_or_nan
from captious.report.plots.canvas import FONT_SIZE, figure_for, shorten
from captious.report.plots.curve_styles import (
    LABEL_HEIGHT,
    LineEnd,
    curve_marker,
    curve_style,
    label_panels,
    line_end,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from captious.metrics.learned.weights import LearnedModel
    from captious.training.loop import TrainingResult

PANEL_WIDTH, MIN_HEIGHT, EXTRA_HEIGHT = 5.2, 3.4, 1.2  # inches
MAX_LABEL_CHARS = 34
MAX_MARKERS = 16  # points of a curve that are marked
MAX_PANELS_PER_ROW = 4  # panels in a row; more are laid out in rows of equal length


@dataclass(frozen=True)
class Panel:
    """Curves, or points with names: one drawing of a plot."""

    title: str
    xlabel: str
    ylabel: str
    curves: Mapping[str, Sequence[tuple[float, float]]]  # points by name
    joined: bool = True  # by lines; otherwise points only
    loose: tuple[str, ...] = ()  # names whose points are not joined though others' are

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is drawn, as JSON."""
        return {
            "title": self.title,
            "x": self.xlabel,
            "y": self.ylabel,
            "curves": {name: list(map(list, line)) for name, line in self.curves.items()},
            "joined": self.joined,
            "loose": list(self.loose),
        }

    @classmethod
    def from_dict(cls, known: dict[str, Any]) -> Panel:
        """Read a panel from JSON, in which null is NaN."""
        curves = {
            name: [(number_or_nan(x), number_or_nan(y)) for x, y in line]
            for name, line in known["curves"].items()
        }
        panel = cls(
            known["title"], known["x"], known["y"], curves, known["joined"], tuple(known["loose"])
        )
        check_fields(panel)
        if not curves or not all(curves.values()) or not set(panel.loose) <= set(curves):
            raise ValueError("a panel without curves, or with one that has no points")
        return panel


def plot_panels(path: str | Path, title: str, panels: Sequence[Panel]) -> None:
    """Draw panels side by side, many in rows, each with axes of its own."""
    if not panels or not all(panel.curves for panel in panels):
        raise InputError("nothing to plot; give every panel a curve or more")
    most = max(len(panel.curves) for panel in panels)
    height = max(MIN_HEIGHT, EXTRA_HEIGHT + most * LABEL_HEIGHT / 72)
    rows = -(-len(panels) // MAX_PANELS_PER_ROW)
    columns = -(-len(panels) // rows)
    with figure_for(path, PANEL_WIDTH * columns, height * rows, title) as figure:
        grid = list(figure.subplots(rows, columns, squeeze=False).flat)
        for spare in grid[len(panels) :]:
            spare.remove()
        grid = grid[: len(panels)]
        ends = []
        for axes, panel in zip(grid, panels, strict=True):
            ends.append(_draw_lines(axes, panel) if panel.joined else _draw_points(axes, panel))
            axes.set_title(panel.title)
            axes.set_xlabel(panel.xlabel)
            axes.set_ylabel(panel.ylabel)
            axes.grid(visible=True, axis="y" if panel.joined else "both")
        label_panels(figure, grid, ends)


def _draw_lines(axes: Axes, panel: Panel) -> list[LineEnd]:
    """Draw one line for each curve; return where its label belongs."""
    ends = []
    for number, (name, points) in enumerate(panel.curves.items()):
        x, y = np.array(points, np.float64).T
        style = curve_style(number)
        if name in panel.loose:
            style = {"color": style["color"], "linestyle": "none"}
        marker = curve_marker(number) if len(x) <= MAX_MARKERS or name in panel.loose else ""
        axes.plot(x, y, marker=marker, markersize=3.5, **style)
        ends.append(line_end(x.tolist(), y.tolist(), shorten(name, MAX_LABEL_CHARS), number))
    return ends


def _draw_points(axes: Axes, panel: Panel) -> list[LineEnd]:
    """Draw the points of each name; return where its label belongs."""
    ends = []
    for number, (name, points) in enumerate(panel.curves.items()):
        x, y = np.array(points, np.float64).T
        colour = curve_style(number)["color"]
        axes.plot(x, y, linestyle="none", marker=curve_marker(number), color=colour, markersize=6)
        last = int(np.argmax(x))  # the nearest to its name
        ends.append(LineEnd(float(x[last]), float(y[last]), shorten(name, MAX_LABEL_CHARS), colour))
    axes.margins(0.1)
    axes.tick_params(labelsize=FONT_SIZE - 0.5)
    return ends


def plot_training(path: str | Path, trained: TrainingResult[LearnedModel]) -> None:
    """Draw how agreement, accuracy and loss went (LCEval's figure 7)."""
    name = trained.model.feature_set.name
    # Imported here: most plots are not of a training.
    from captious.training.learned_metrics.validation import MEASURES, measure_in

    measure = measure_in(trained.best_point)

    def curve(measure: str) -> dict[str, list[tuple[float, float]]]:
        points = enumerate(trained.curve, 1)
        return {name: [(float(epoch), point[measure]) for epoch, point in points]}

    plot_panels(
        path,
        f"Training of {name}: epoch {trained.best} of {len(trained.curve)} was kept",
        [
            Panel("Agreement", "epoch", f"{MEASURES[measure]} in validation", curve(measure)),
            Panel("Accuracy", "epoch", "classified rightly", curve("accuracy")),
            Panel("Loss", "epoch", "cross-entropy", curve("loss")),
        ],
    )
