"""One pre-gen metric against every post-gen metric, by data set and architecture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from captious.papers.measurements.authors_rows import LONGER
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.pregen_searches import (
    AUTHORS,
    OURS,
    TITLES,
    all_searches,
    describe_captioners,
    describe_settings,
    groups_of,
    label_of,
    measured_r2,
    rounded_point,
)
from captious.papers.result import Measured, Panel, Table, Value
from captious.pregen.names import ALIASES
from captious.pregen.search import Search
from captious.pregen.search_table import SearchTable
from captious.stats.correlation import pearson

LOWER, UPPER = "rows below the median", "rows above"


def measure(experiment: Experiment, metric: str) -> Measured:
    """R² over all rows, in both halves of them, and within architectures; and all points."""
    name = ALIASES.get(metric, metric)
    searches = all_searches(experiment)
    tables = [_overall(experiment, rows, search, name) for rows, search in searches.items()]
    authors = searches[AUTHORS].table
    tables.append(_within(experiment, authors, name))
    drawn = {rows: searches[rows].table for rows in (AUTHORS, OURS) if rows in searches}
    panels = [
        panel for rows, table in drawn.items() for panel in _drawn(experiment, rows, table, name)
    ]
    return Measured(
        tuple(tables), tuple(panels), describe_settings(searches), describe_captioners(searches)
    )


def _overall(experiment: Experiment, rows: str, search: Search, metric: str) -> Table:
    """R² of each post-gen metric, over all rows and in the halves with low and high scores."""
    cells: list[list[Value]] = []
    for post, scores in search.table.post.items():
        x = search.table.pre[metric]
        low = scores < np.median(scores)
        halves = [pearson(x[some], scores[some]) ** 2 for some in (low, ~low)]
        overall = measured_r2(rows, post, search.row(post, metric))
        cells.append([label_of(experiment, post), overall, *halves])
    return Table(f"{TITLES[rows]}: R² of `{metric}`", ["post-gen", "R²", LOWER, UPPER], cells)


def _within(experiment: Experiment, table: SearchTable, metric: str) -> Table:
    """R² within each data set and architecture."""
    rows: list[list[Value]] = []
    for (dataset, architecture), inside in groups_of(table).items():
        r2 = [pearson(table.pre[metric][inside], y[inside]) ** 2 for y in table.post.values()]
        rows.append([dataset, architecture, *r2])
    labels = [label_of(experiment, post) for post in table.post]
    title = f"{TITLES[AUTHORS]}: R² of `{metric}` within each data set and architecture"
    return Table(title, ["data set", "architecture", *labels], rows, texts=2)


def _drawn(experiment: Experiment, rows: str, table: SearchTable, metric: str) -> Iterator[Panel]:
    """A row of panels a data set, one panel a post-gen metric, with architectures in colours."""
    whose = "" if rows == AUTHORS else f"{TITLES[rows]}, "
    groups = groups_of(table)
    for dataset in dict.fromkeys(table.datasets):
        for post in (name for name in table.post if name != LONGER):
            points = {
                architecture: [
                    rounded_point(table.pre[metric][row], table.post[post][row]) for row in inside
                ]
                for (name, architecture), inside in groups.items()
                if name == dataset
            }
            label = label_of(experiment, post)
            yield Panel(f"{whose}{dataset}", metric, label, points, joined=False)
