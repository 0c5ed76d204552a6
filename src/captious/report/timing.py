"""The time that metrics take as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.report.table import check_format, render_table

if TYPE_CHECKING:
    from captious.meta.timing import Timings


def render_timings(timings: Timings, format: str = "text") -> str:
    """One row a metric."""
    check_format(format)
    if format == "json":
        return json_text(timings.to_dict(), indent=2)
    rows = [
        [
            row.metric,
            f"{row.captions:,}",
            f"{row.seconds:.3f}",
            f"{1e6 * row.seconds / row.captions:.0f}",
        ]
        for row in timings.rows
    ]
    return render_table(["metric", "captions", "seconds", "microseconds each"], rows, format)
