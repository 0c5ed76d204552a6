"""The paper's figures 4, 5 and 6 from anybody's search."""

from __future__ import annotations

from pathlib import Path

from captious.errors import OutputError
from captious.pregen.names import ALIASES, PERPLEXITY
from captious.pregen.search import Foretelling, Search
from captious.report.plots.pregen_ranking import RankedMetric, plot_pregen_ranking
from captious.report.plots.pregen_relation import plot_pregen_relation


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
    plot_pregen_relation(
        path,
        title,
        metric,
        table.pre[metric],
        table.post,
        table.datasets,
        architectures,
        r2,
    )


def _bars(rows: list[Foretelling], top: int, baseline: str) -> list[RankedMetric]:
    """The best, and below them the baseline with its place."""
    bars = [RankedMetric(row.metric, row.r2, *row.interval) for row in rows[:top]]
    for place, row in enumerate(rows[top:], top + 1):
        if row.metric == baseline:
            name = f"{PERPLEXITY} (place {place})"
            bars.append(RankedMetric(name, row.r2, *row.interval, is_baseline=True))
    return bars
