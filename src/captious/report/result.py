"""A result as a table of corpus scores with intervals, and its signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.report.table import check_format, decimals, render_table

if TYPE_CHECKING:
    from captious.result import Result


def render_result(result: Result, format: str) -> str:
    """Corpus scores, one row a column of scores."""
    check_format(format)
    if format == "json":
        return json_text(result.to_dict(), indent=2)
    rows = []
    for name, score in result.corpus.items():
        low, high = result.interval(name)
        rows.append([name, decimals(score), f"{decimals(low)} to {decimals(high)}"])
    table = render_table(["metric", "score", "95 % interval"], rows, format)
    if format == "latex":
        return f"{table}\n% {result.signature}"
    return f"{table}\n\n{result.n} samples\n{result.signature}"
