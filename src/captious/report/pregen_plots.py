"""Plots of pre-gen metrics: those of a search (figures 4, 5 and 6) and scores by epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, OutputError
from captious.pregen.names import ALIASES, PERPLEXITY
from captious.pregen.search import PredictionQuality, Search
from captious.report.plots.bars import RankedMetric, plot_pregen_ranking
from captious.report.plots.canvas import INK, format_number, panels_for
from captious.report.plots.curve_styles import COLOURS, MARKERS
from captious.report.plots.panels import Panel, plot_panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# By panel and by kind of captioner: each run's score, epoch by epoch.
EpochCurves = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]
PANEL_WIDTH, PANEL_HEIGHT, EXTRA_HEIGHT = 3.5, 2.8, 1.2  # inches
COLUMNS = 2
DOT_SIZE, ALPHA = 16, 0.65


def plot_search(folder: str | Path, search: Search, top: int = 5, kind: str = "svg") -> list[Path]:
    """Draw perplexity's relation, the best metric's, and the ranking; return the files.

    Perplexity is left out where it is infinite for a model.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: no such folder can be made ({error.strerror})") from None
    baseline = ALIASES[PERPLEXITY]
    paths = []
    first = next(iter(search.rankings))
    if search.rank(first, baseline) is not None:
        path = folder / f"perplexity.{kind}"
        plot_metric(path, search, baseline, f"Perplexity, {baseline}")
        paths.append(path)
    path = folder / f"best.{kind}"
    best = search.best_on_average()
    plot_metric(path, search, best, "The best pre-gen metric on average over post-gen metrics")
    paths.append(path)
    path = folder / f"ranking.{kind}"
    title = f"The {top} best pre-gen metrics for each post-gen metric"
    rankings = {post: _ranked_bars(rows, top, baseline) for post, rows in search.rankings.items()}
    plot_pregen_ranking(path, title, rankings)
    return [*paths, path]


def plot_metric(path: str | Path, search: Search, metric: str, title: str) -> None:
    """Draw one metric against every post-gen metric."""
    table = search.table
    r2 = {post: search.row(post, metric).r2 for post in search.rankings}
    architectures = table.keys.get("architecture", [""] * len(table))
    # Colours tell more than markers, so that they are not spent on a single data set.
    colours, markers = table.datasets, architectures
    if len(set(colours)) == 1:
        colours, markers = markers, colours
    plot_pregen_relation(path, title, metric, table.pre[metric], table.post, colours, markers, r2)


def _ranked_bars(rows: list[PredictionQuality], top: int, baseline: str) -> list[RankedMetric]:
    """Return bars of the best metrics, and of the baseline with its rank."""
    bars = [RankedMetric(row.metric, row.r2, *row.interval) for row in rows[:top]]
    for place, row in enumerate(rows[top:], top + 1):
        if row.metric == baseline:
            name = f"{PERPLEXITY} (place {place})"
            bars.append(RankedMetric(name, row.r2, *row.interval, is_baseline=True))
    return bars


def plot_epochs(path: str | Path, title: str, panels: EpochCurves) -> None:
    """Draw scores over epochs, a line a kind: the mean of its runs as far as all of them go."""
    drawn = [
        Panel(name, "epoch", "", {kind: _mean_curve(runs) for kind, runs in curves.items()})
        for name, curves in panels.items()
    ]
    plot_panels(path, title, drawn)


def _mean_curve(runs: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Return the mean by epoch, from 1 on, up to the last epoch that all runs have."""
    together = zip(*runs, strict=False)
    return [(float(epoch), sum(some) / len(some)) for epoch, some in enumerate(together, 1)]


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
    _check_relation(values, post, datasets, architectures)
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
                        s=DOT_SIZE,
                        color=COLOURS[colour % len(COLOURS)],
                        marker=MARKERS[marker % len(MARKERS)],
                        alpha=ALPHA,
                        linewidths=0,
                        rasterized=True,  # thousands of them in a file of text
                    )
            axes.grid(visible=True)
            axes.set_title(f"{name}  R² = {format_number(r2[name])}")
        _draw_legend(figure, names, kinds)


def _draw_legend(figure: Figure, datasets: Sequence[str], architectures: Sequence[str]) -> None:
    """Draw a legend: data sets by colour, architectures by marker."""
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


def _check_relation(
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
