"""Plots of bars: metrics by agreement with people, or pre-gen metrics by what they predict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from captious.errors import InputError
from captious.report.plots.canvas import (
    FONT_SIZE,
    INK,
    QUIET,
    figure_for,
    format_number,
    panels_for,
    shorten,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR, BASELINE, PUBLISHED = "#8ab6d6", "#d8d8d8", "#d55e00"
MAX_LABEL_CHARS = 40
WIDTH = 7.0  # inches, as all that follow
ROW_HEIGHT, EXTRA_HEIGHT = 0.27, 1.25
RANKED_HEIGHT, PANEL_REST, REST_OF_RANKINGS = 0.24, 0.35, 0.9
STATISTIC_NAMES = {
    "kendall_a": "Kendall's τ-a",
    "kendall_b": "Kendall's τ-b",
    "kendall_c": "Kendall's τ-c",
    "pearson": "Pearson's r",
    "spearman": "Spearman's \N{GREEK SMALL LETTER RHO}",
}


class AgreementBar(NamedTuple):
    """A metric's agreement with people; without resamples, the ends of its interval are NaN."""

    metric: str
    value: float
    low: float
    high: float
    published: float | None


class RankedMetric(NamedTuple):
    """A pre-gen metric's R² with its interval, whose ends may be NaN; a baseline is paler."""

    metric: str
    value: float
    low: float
    high: float
    is_baseline: bool = False


def plot_agreement(
    path: str | Path, title: str, statistic: str, rows: Sequence[AgreementBar]
) -> None:
    """Draw one bar a metric, the best on top, with 95% intervals and published figures."""
    if not rows:
        raise InputError("no metrics to plot; give at least one row")
    # What is undefined has no place among the rest, and stands last.
    bars = sorted(rows, key=lambda row: math.inf if math.isnan(row.value) else -row.value)
    published = np.array([np.nan if bar.published is None else bar.published for bar in bars])
    with figure_for(path, WIDTH, EXTRA_HEIGHT + ROW_HEIGHT * len(bars), title) as figure:
        axes = figure.subplots()
        _draw_bars(
            axes, bars, len(bars), color=BAR, height=0.62, linewidth=1.4, label="95% interval"
        )
        if np.isfinite(published).any():
            axes.plot(
                published,
                np.arange(len(bars)),
                linestyle="none",
                marker="D",
                markersize=5.5,
                markerfacecolor="white",
                markeredgecolor=PUBLISHED,
                markeredgewidth=1.3,
                label="published",
            )
        if any(bar.value < 0 for bar in bars):
            axes.axvline(0, color=QUIET, linewidth=0.8)
        axes.set_xlabel(STATISTIC_NAMES.get(statistic, statistic))
        if axes.get_legend_handles_labels()[1]:
            figure.legend(loc="outside lower right", ncols=2)


def plot_pregen_ranking(
    path: str | Path, title: str, rankings: Mapping[str, Sequence[RankedMetric]]
) -> None:
    """Draw the ranking for each post-gen metric, as figure 5 of the paper does."""
    if not rankings or not all(rankings.values()):
        raise InputError("nothing to plot; give each post-gen metric one pre-gen metric or more")
    rows = max(map(len, rankings.values()))
    size = (WIDTH, rows * RANKED_HEIGHT + PANEL_REST)
    labels = ("R², with its 95% interval over models", "")
    rest = REST_OF_RANKINGS
    with panels_for(path, len(rankings), 1, size, title, labels, rest=rest) as (_, grid):
        for axes, (post, bars) in zip(grid, rankings.items(), strict=True):
            colours = [BASELINE if bar.is_baseline else BAR for bar in bars]
            _draw_bars(axes, bars, rows, color=colours, height=0.66, linewidth=1.2)
            axes.set_xlim(0, 1)
            axes.set_title(post)


def _draw_bars(
    axes: Axes,
    bars: Sequence[AgreementBar | RankedMetric],
    rows: int,
    *,
    color: Any,
    height: float,
    linewidth: float,
    label: str = "",
) -> None:
    """Draw bars one below the other, each with its name, interval and number."""
    places = np.arange(len(bars))
    ends = np.array([[bar.low, bar.high] for bar in bars])
    axes.barh(places, np.nan_to_num([bar.value for bar in bars]), height=height, color=color)
    if np.isfinite(ends).any():
        axes.hlines(places, *ends.T, color=INK, linewidth=linewidth, label=label)
    for place, bar in enumerate(bars):
        # The figures stand in a column of their own, where no interval can cross them.
        axes.annotate(
            format_number(bar.value),
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            verticalalignment="center_baseline",
            fontsize=FONT_SIZE,
        )
    axes.set_yticks(places, [shorten(bar.metric, MAX_LABEL_CHARS) for bar in bars])
    axes.set_ylim(rows - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(visible=True, axis="x")
