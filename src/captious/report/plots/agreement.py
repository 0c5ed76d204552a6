"""A plot of agreement with people: one bar a metric, with interval and published figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from captious.errors import InputError
from captious.report.plots.canvas import (
    FONT_SIZE,
    INK,
    QUIET,
    figure_for,
    number,
    set_title,
    shortened,
)

BAR, PUBLISHED = "#8ab6d6", "#d55e00"
MOST_LETTERS = 40
WIDTH, ROW_HEIGHT, HEIGHT_OF_THE_REST = 7.0, 0.27, 1.25  # inches

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


def plot_agreement(
    path: str | Path, title: str, statistic: str, rows: Sequence[AgreementBar]
) -> None:
    """Draw one bar a metric, the best on top, with 95 % intervals and published figures."""
    if not rows:
        raise InputError("no metrics to plot; give at least one row")
    # What is undefined has no place among the rest, and stands last.
    bars = sorted(rows, key=lambda row: math.inf if math.isnan(row.value) else -row.value)
    places = np.arange(len(bars))
    values = np.array([bar.value for bar in bars])
    ends = np.array([[bar.low, bar.high] for bar in bars])
    published = np.array([np.nan if bar.published is None else bar.published for bar in bars])
    with figure_for(path, WIDTH, HEIGHT_OF_THE_REST + ROW_HEIGHT * len(bars)) as figure:
        axes = figure.subplots()
        axes.barh(places, np.nan_to_num(values), height=0.62, color=BAR)
        if np.isfinite(ends).any():
            axes.hlines(places, *ends.T, color=INK, linewidth=1.4, label="95 % interval")
        if np.isfinite(published).any():
            axes.plot(
                published,
                places,
                linestyle="none",
                marker="D",
                markersize=5.5,
                markerfacecolor="white",
                markeredgecolor=PUBLISHED,
                markeredgewidth=1.3,
                label="published",
            )
        if (values < 0).any():
            axes.axvline(0, color=QUIET, linewidth=0.8)
        for place, value in zip(places.tolist(), values.tolist(), strict=True):
            # The figures stand in a column of their own, where no interval can cross them.
            axes.annotate(
                number(value),
                (1.0, place),
                xycoords=("axes fraction", "data"),
                xytext=(6, 0),
                textcoords="offset points",
                verticalalignment="center_baseline",
                fontsize=FONT_SIZE,
            )
        axes.set_yticks(places, [shortened(bar.metric, MOST_LETTERS) for bar in bars])
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(visible=True, axis="x")
        axes.set_xlabel(STATISTIC_NAMES.get(statistic, statistic))
        set_title(figure, title)
        if axes.get_legend_handles_labels()[1]:
            figure.legend(loc="outside lower right", ncols=2)
