"""Searches over the pre-gen paper's rows and ours, done once, and published R² beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.meta.published import published
from captious.papers.measurements.authors_rows import LONGER, authors_rows
from captious.papers.measurements.captioner_rows import captioner_rows
from captious.papers.measurements.experiment import Experiment
from captious.papers.result import INTERVAL, Measurement
from captious.pregen.search import PredictionQuality, Search, search
from captious.pregen.search_table import SearchTable

AUTHORS, RECOMPUTED, OURS = "authors", "recomputed", "ours"
TITLES = {
    AUTHORS: "The authors' rows",
    RECOMPUTED: "The authors' pre-gen scores and captions, post-gen scores of ours",
    OURS: "Captioners of ours",
}
LABELS = {"meteor": "METEOR", "cider_d": "CIDEr", "spice": "SPICE", "wmd": "WMD"}
DIGITS = 5  # of what is drawn
PUBLISHED = ("pregen", "r_squared")  # benchmark and statistic of the released correlations


@lru_cache(maxsize=8)
def search_rows(experiment: Experiment, rows: str) -> Search | None:
    """How well each pre-gen metric predicts each post-gen metric; None without captioners."""
    tables: dict[str, Callable[[], SearchTable | None]] = {
        AUTHORS: lambda: authors_rows(experiment).authors,
        RECOMPUTED: lambda: authors_rows(experiment).recomputed,
        OURS: lambda: captioner_rows(experiment),
    }
    table = tables[rows]()
    return None if table is None else search(table)


def all_searches(experiment: Experiment) -> dict[str, Search]:
    """The searches that can be done, by which rows."""
    searches = {rows: search_rows(experiment, rows) for rows in TITLES}
    return {rows: each for rows, each in searches.items() if each is not None}


def label_of(experiment: Experiment, post: str) -> str:
    """A post-gen metric as tables name it."""
    if post == LONGER:
        return f"WMD, vectors of length {authors_rows(experiment).length:g}"
    return LABELS[post]


def measured_r2(rows: str, post: str, row: PredictionQuality) -> Measurement:
    """An R² with its interval over captioners, and the published one where it is of the same."""
    # Our WMD has other word vectors than theirs; brought to their length, it is compared.
    of = {LONGER: "wmd"}.get(post, post)
    comparable = rows == AUTHORS or (rows == RECOMPUTED and post != "wmd")
    values = [figure.value for figure in published(*PUBLISHED, row.metric, group=of)]
    known = values[0] if comparable and values else None
    return Measurement(row.r2, *row.interval, spread=INTERVAL, published=known)


def groups_of(table: SearchTable) -> dict[tuple[str, str], IntArray]:
    """The rows of each data set and architecture."""
    names = list(zip(table.keys["dataset"], table.keys["architecture"], strict=True))
    return {
        group: np.flatnonzero([name == group for name in names]) for group in dict.fromkeys(names)
    }


def rounded_point(x: float, y: float) -> tuple[float, float]:
    """A point with as many digits as can be seen."""
    return float(f"{x:.{DIGITS}g}"), float(f"{y:.{DIGITS}g}")


def describe_settings(searches: dict[str, Search]) -> tuple[str, ...]:
    """The size of each search."""
    return tuple(
        f"{TITLES[rows].lower()}: {len(each.table)} rows, which are {each.models} captioners in "
        f"strata; {each.ranked_count} of the pre-gen metrics are finite and not constant; "
        "intervals draw "
        f"whole captioners, {each.resamples} times"
        for rows, each in searches.items()
    )


def describe_captioners(searches: dict[str, Search]) -> tuple[str, ...]:
    """What there is of our captioners."""
    if OURS in searches:
        return ("Our captioners are of Flickr8k alone: there are image vectors for no other.",)
    return (
        "Captioners of ours are left out: train some on Flickr8k with `captious captioner train`, "
        "and name their folder with --captioners DIR. docs/pregen_search.md has twelve of them.",
    )
