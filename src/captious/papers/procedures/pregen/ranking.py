"""The pre-gen metrics that best predict each post-gen metric, by R²."""

from __future__ import annotations

import numpy as np

from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.pregen_searches import (
    AUTHORS,
    TITLES,
    all_searches,
    describe_captioners,
    describe_settings,
    groups_of,
    label_of,
    measured_r2,
)
from captious.papers.result import Measured, Panel, Table, Value
from captious.pregen.search import Search
from captious.stats.correlation import pearson

PUBLISHED = "published"
HEADER = ["post-gen", "place", "pre-gen", "R²"]


def measure(experiment: Experiment, top: int) -> Measured:
    """The best for each post-gen metric: over all data, and on average within architectures."""
    searches = all_searches(experiment)
    tables = [_over_all(experiment, rows, search, top) for rows, search in searches.items()]
    tables.append(_averaged(experiment, searches[AUTHORS], top))
    panels = tuple(_drawn(experiment, rows, search, top) for rows, search in searches.items())
    return Measured(
        tuple(tables), panels, describe_settings(searches), describe_captioners(searches)
    )


def _over_all(experiment: Experiment, rows: str, search: Search, top: int) -> Table:
    cells: list[list[Value]] = [
        [label_of(experiment, post), str(place), row.metric, measured_r2(rows, post, row)]
        for post, ranking in search.rankings.items()
        for place, row in enumerate(ranking[:top], 1)
    ]
    return Table(f"{TITLES[rows]}: over all data", HEADER, cells, texts=3)


def _drawn(experiment: Experiment, rows: str, search: Search, top: int) -> Panel:
    """R² by place, a line a post-gen metric; what was published as points."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for post, ranking in search.rankings.items():
        for place, row in enumerate(ranking[:top], 1):
            cell = measured_r2(rows, post, row)
            curves.setdefault(label_of(experiment, post), []).append((place, cell.value))
            if cell.published is not None:
                curves.setdefault(PUBLISHED, []).append((place, cell.published))
    ordered = {name: curves[name] for name in sorted(curves, key=lambda name: name == PUBLISHED)}
    loose = tuple(name for name in ordered if name == PUBLISHED)
    return Panel(TITLES[rows], "place of the pre-gen metric", "R²", ordered, loose=loose)


def _averaged(experiment: Experiment, search: Search, top: int) -> Table:
    """By the mean of the R² within each data set and architecture, where that is defined."""
    table = search.table
    groups = groups_of(table).values()
    cells: list[list[Value]] = []
    for post, ranking in search.rankings.items():
        y = table.post[post]
        means = {
            row.metric: float(
                np.mean([pearson(table.pre[row.metric][some], y[some]) ** 2 for some in groups])
            )
            for row in ranking
        }
        best = sorted(means, key=lambda name: -round(np.nan_to_num(means[name]), 12))[:top]
        for place, name in enumerate(best, 1):
            cells.append([label_of(experiment, post), str(place), name, means[name]])
    title = f"{TITLES[AUTHORS]}: the mean of R² within each data set and architecture"
    return Table(title, HEADER, cells, texts=3)
