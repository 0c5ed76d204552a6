"""Agreement by number of references as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.report.evaluation import NAMES, interval, share
from captious.report.table import check_format, render_table

if TYPE_CHECKING:
    from captious.meta.by_references import ByReferences


def render_by_references(result: ByReferences, format: str = "text") -> str:
    """One row a metric, one column a number of references; intervals of the last."""
    check_format(format)
    if format == "json":
        return json_text(result.to_dict(), indent=2)
    first = result.first
    statistic = first.agreements.statistic
    rows = [
        [name, *(share(row.values[statistic]) for row in curve), interval(curve[-1], statistic)]
        for name, curve in result.curves.items()
    ]
    counts = list(map(str, result.counts))
    title = NAMES.get(first.statistic, first.statistic)
    header = [title, *counts, f"95 % interval at {counts[-1]}"]
    table = render_table(header, rows, format)
    if format != "text":
        return table
    return f"{first.benchmark}, by number of references\n{first.protocol.describe()}\n\n{table}"
