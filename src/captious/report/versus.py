"""Two metrics against each other as a table of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.report.table import check_format, decimals, render_table

if TYPE_CHECKING:
    from captious.meta.versus import Versus


def render_versus(versus: Versus, format: str = "text") -> str:
    """One row a test."""
    check_format(format)
    if format == "json":
        return json_text(versus.to_dict(), indent=2)
    rows = [
        [test.name, test.statistic, f"{test.difference:+.4f}", decimals(test.p)]
        for test in versus.tests
    ]
    header = ["test", "statistic", f"{versus.b} - {versus.a}", "p"]
    table = render_table(header, rows, format, 2)
    if format != "text":
        return table
    low, high = versus.interval
    values = f"{versus.a} {versus.value_a:.4f}, {versus.b} {versus.value_b:.4f}"
    where = f"{versus.benchmark}: {values}; difference {low:+.4f} to {high:+.4f} (95 %)"
    return f"{where}\n\n{table}"
