"""Published figures: what papers report for a metric on a benchmark, with paper and table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from captious.resources import RESOURCES

FILE = RESOURCES / "published.json"
ANY_KENDALL = "kendall"  # the statistic of a paper that does not say which tau


@dataclass(frozen=True)
class Figure:
    """One number of one table, as it is printed there, even where the table has a mistake.

    Metrics have our columns' names where they are the same metric, and names after the paper's
    otherwise. `protocol` is the preset of the paper, empty where protocols vary; `group` is a part
    of the benchmark, such as HC, M1 or cs-en, `mean` over the parts, or empty for the whole.
    `computed` is our name of what the paper measured, where it calls that by another metric's.
    """

    benchmark: str
    protocol: str
    statistic: str
    group: str
    metric: str
    value: float
    source: str
    note: str = ""
    computed: str = ""


@lru_cache(maxsize=1)
def figures() -> tuple[Figure, ...]:
    """All figures, a benchmark's most comparable first; a row may leave out its empty end."""
    return tuple(Figure(*row) for row in _document()["rows"])


@lru_cache(maxsize=1)
def papers() -> dict[str, str]:
    """The title of each paper, by the name with which sources begin."""
    titles: dict[str, str] = _document()["papers"]
    return titles


def published(
    benchmark: str,
    statistic: str,
    metric: str,
    source: str | None = None,
    group: str | None = None,
) -> tuple[Figure, ...]:
    """The figures of a metric: all, or those of one source and of one group.

    `source` is a preset's name, such as `lceval`, or the beginning of a source, such as
    `Yi et al. 2020, table 3`. A paper that only says Kendall's tau answers for every tau, and one
    that measured another metric than it says answers for both.
    """
    return tuple(
        figure
        for figure in figures()
        if figure.benchmark == benchmark
        and metric in (figure.metric, figure.computed or figure.metric)
        and _same_statistic(figure.statistic, statistic)
        and (source is None or figure.protocol == source or _begins(figure.source, source))
        and (group is None or figure.group == group)
    )


def _same_statistic(published: str, wanted: str) -> bool:
    return published == wanted or (published == ANY_KENDALL and wanted.startswith(ANY_KENDALL))


def _begins(source: str, beginning: str) -> bool:
    """Whether a source begins so, at the end of a word: table 1 is not table 14."""
    return source == beginning or (
        source.startswith(beginning) and not source[len(beginning)].isalnum()
    )


@lru_cache(maxsize=1)
def _document() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))
