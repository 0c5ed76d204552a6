"""Plots of a pre-gen search, as figures 4, 5 and 6 of the paper, and of scores by epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from captious.errors import OutputError
from captious.pregen.names import ALIASES, PERPLEXITY
from captious.pregen.search import PredictionQuality, Search
from captious.report.plots.bars import RankedMetric, plot_pregen_ranking
from captious.report.plots.panels import Panel, plot_panels
from captious.report.plots.pregen_relation import plot_pregen_relation

# By panel and by kind of captioner: each run's score, epoch by epoch.
EpochCurves = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]


def plot_search(folder: str | Path, search: Search, top: int = 5, kind: str = "svg") -> list[Path]:
    """Draw perplexity's relation, the best metric's, and the ranking; the files that were written.

    Perplexity is left out where it is infinite for a model.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: no such folder can be made ({error.strerror})") from None
    baseline = ALIASES[PERPLEXITY]
    written = []
    first = next(iter(search.rankings))
    if search.rank(first, baseline) is not None:
        path = folder / f"perplexity.{kind}"
        plot_metric(path, search, baseline, f"Perplexity, {baseline}")
        written.append(path)
    path = folder / f"best.{kind}"
    best = search.best_on_average()
    plot_metric(path, search, best, "The best pre-gen metric on average over post-gen metrics")
    written.append(path)
    path = folder / f"ranking.{kind}"
    title = f"The {top} best pre-gen metrics for each post-gen metric"
    rankings = {post: _bars(rows, top, baseline) for post, rows in search.rankings.items()}
    plot_pregen_ranking(path, title, rankings)
    return [*written, path]


def plot_metric(path: str | Path, search: Search, metric: str, title: str) -> None:
    """One metric against every post-gen metric."""
    table = search.table
    r2 = {post: search.row(post, metric).r2 for post in search.rankings}
    architectures = table.keys.get("architecture", [""] * len(table))
    # Colours tell more than markers, so that they are not spent on a single data set.
    colours, markers = table.datasets, architectures
    if len(set(colours)) == 1:
        colours, markers = markers, colours
    plot_pregen_relation(path, title, metric, table.pre[metric], table.post, colours, markers, r2)


def _bars(rows: list[PredictionQuality], top: int, baseline: str) -> list[RankedMetric]:
    """The best, and below them the baseline with its place."""
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
