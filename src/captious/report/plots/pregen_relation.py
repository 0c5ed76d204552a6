"""A plot of a pre-gen metric against post-gen metrics: one dot a model and stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.report.plots.canvas import INK, number, panels_for
from captious.report.plots.curve_styles import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL_WIDTH, PANEL_HEIGHT, EXTRA_HEIGHT = 3.5, 2.8, 1.2  # inches
COLUMNS = 2
SIZE, ALPHA = 16, 0.65


def plot_pregen_relation(
    path: str | Path,
    title: str,
    metric: str,
    values: FloatArray,
    post: Mapping[str, FloatArray],
    datasets: Sequence[str],
    architectures: Sequence[str],
    r2: Mapping[str, float],
) -> None:
    """Draw one panel a post-gen metric over the pre-gen one, as figures 4 and 6 of the paper do.

    Colours are data sets, markers are architectures; a panel's title has its R².
    """
    _check(values, post, datasets, architectures)
    columns = min(COLUMNS, len(post))
    names, kinds = list(dict.fromkeys(datasets)), list(dict.fromkeys(architectures))
    group = np.array([names.index(name) for name in datasets])
    kind = np.array([kinds.index(name) for name in architectures])
    size, rest = (PANEL_WIDTH, PANEL_HEIGHT), EXTRA_HEIGHT
    labels = (None, "post-gen score")
    with panels_for(path, len(post), columns, size, title, labels, rest=rest) as (figure, grid):
        for axes in grid[-columns:]:  # one label for all would lie on the legend
            axes.set_xlabel(metric)
        for axes, (name, scores) in zip(grid, post.items(), strict=True):
            for colour in range(len(names)):
                for marker in range(len(kinds)):
                    here = (group == colour) & (kind == marker)
                    axes.scatter(
                        values[here],
                        scores[here],
                        s=SIZE,
                        color=COLOURS[colour % len(COLOURS)],
                        marker=MARKERS[marker % len(MARKERS)],
                        alpha=ALPHA,
                        linewidths=0,
                        rasterized=True,  # thousands of them in a file of text
                    )
            axes.grid(visible=True)
            axes.set_title(f"{name}  R² = {number(r2[name])}")
        _legend(figure, names, kinds)


def _legend(figure: Figure, datasets: Sequence[str], architectures: Sequence[str]) -> None:
    """Data sets by colour alone, architectures by marker alone, in one row below."""
    from matplotlib.lines import Line2D

    marks = [("o", COLOURS[place % len(COLOURS)], name) for place, name in enumerate(datasets)]
    if len(architectures) > 1:
        marks += [
            (MARKERS[place % len(MARKERS)], INK, name) for place, name in enumerate(architectures)
        ]
    handles = [
        Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=5, label=name)
        for marker, colour, name in marks
    ]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=min(7, len(handles)), handletextpad=0.1
    )


def _check(
    values: FloatArray,
    post: Mapping[str, FloatArray],
    datasets: Sequence[str],
    architectures: Sequence[str],
) -> None:
    if not post or not len(values):
        raise InputError("nothing to plot; give values and at least one post-gen metric")
    for name, column in {**post, "datasets": datasets, "architectures": architectures}.items():
        if len(column) != len(values):
            raise InputError(f"{name}: {len(column)} rows for {len(values)} values")
    if not np.isfinite(values).all():
        raise InputError("a pre-gen metric that is infinite somewhere cannot be drawn")
