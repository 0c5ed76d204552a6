"""A comparison of two systems as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.report.table import check_format, decimals, render_table

if TYPE_CHECKING:
    from captious.comparison import Comparison

HEADER = ["metric", "A", "B", "B - A", "95 % interval", "p bootstrap", "p randomisation"]


def render_comparison(comparison: Comparison, format: str) -> str:
    """Both scores, their difference with its interval, and two p-values."""
    check_format(format)
    if format == "json":
        return json_text(comparison.to_dict(), indent=2)
    rows = [
        [
            row.metric,
            decimals(row.a),
            decimals(row.b),
            f"{row.difference:+.4f}",
            f"{row.interval[0]:+.4f} to {row.interval[1]:+.4f}",
            decimals(row.p_bootstrap),
            decimals(row.p_randomisation),
        ]
        for row in comparison.rows
    ]
    note = f"{comparison.n} images, {comparison.resamples} resamples, seed {comparison.seed}"
    comment = "% " if format == "latex" else "\n"
    return f"{render_table(HEADER, rows, format)}\n{comment}{note}"
