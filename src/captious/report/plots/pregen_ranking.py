"""A plot of the best pre-gen metrics: one panel a post-gen metric, one bar a pre-gen metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from captious.errors import InputError
from captious.report.plots.agreement import BAR
from captious.report.plots.canvas import (
    FONT_SIZE,
    INK,
    figure_for,
    number,
    panels,
    set_axis_labels,
    set_title,
    shortened,
)

WIDTH, ROW_HEIGHT, PANEL_REST, HEIGHT_OF_THE_REST = 7.0, 0.24, 0.35, 0.9  # inches
MOST_LETTERS = 40
BASELINE = "#d8d8d8"


class RankedMetric(NamedTuple):
    """A pre-gen metric's R² with its interval, whose ends may be NaN; a baseline is paler."""

    metric: str
    r2: float
    low: float
    high: float
    is_baseline: bool = False


def plot_pregen_ranking(
    path: str | Path, title: str, rankings: Mapping[str, Sequence[RankedMetric]]
) -> None:
    """Draw the ranking for each post-gen metric, as figure 5 of the paper does."""
    if not rankings or not all(rankings.values()):
        raise InputError("nothing to plot; give each post-gen metric one pre-gen metric or more")
    rows = max(map(len, rankings.values()))
    height = len(rankings) * (rows * ROW_HEIGHT + PANEL_REST) + HEIGHT_OF_THE_REST
    with figure_for(path, WIDTH, height) as figure:
        grid = panels(figure, len(rankings), 1, share_y=False)
        for axes, (post, bars) in zip(grid, rankings.items(), strict=True):
            places = np.arange(len(bars))
            colours = [BASELINE if bar.is_baseline else BAR for bar in bars]
            axes.barh(places, [bar.r2 for bar in bars], height=0.66, color=colours)
            axes.hlines(
                places,
                [bar.low for bar in bars],
                [bar.high for bar in bars],
                color=INK,
                linewidth=1.2,
            )
            for place, bar in enumerate(bars):
                axes.annotate(
                    number(bar.r2),
                    (1.0, place),
                    xycoords=("axes fraction", "data"),
                    xytext=(6, 0),
                    textcoords="offset points",
                    verticalalignment="center_baseline",
                    fontsize=FONT_SIZE,
                )
            axes.set_yticks(places, [shortened(bar.metric, MOST_LETTERS) for bar in bars])
            axes.set_ylim(rows - 0.4, -0.6)
            axes.set_xlim(0, 1)
            axes.tick_params(axis="y", length=0)
            axes.spines["left"].set_visible(False)
            axes.grid(visible=True, axis="x")
            axes.set_title(post)
        set_axis_labels(figure, "R², with its 95 % interval over models", "")
        set_title(figure, title)
