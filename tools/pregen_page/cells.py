"""Cells and tables that several sections of the page share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.io.output_tables import render_table
from captious.pregen.names import ALIASES, PERPLEXITY
from captious.pregen.search import Search

TOP = 5
BASELINE = ALIASES[PERPLEXITY]


def format_share(value: float) -> str:
    """A share as this page shows it, without its leading zero."""
    return np.format_float_positional(value, 3, unique=False).lstrip("0") if value < 1 else "1"


def format_signed_share(value: float) -> str:
    """A share that may be below 0."""
    digits = format_share(abs(value))
    return f"-{digits}" if value < 0 and digits.strip(".0") else digits


def format_range(values: Sequence[float]) -> str:
    """The range from the lowest to the highest."""
    return f"{format_share(min(values))} to {format_share(max(values))}"


def display_name(metric: str) -> str:
    """A pre-gen metric's name, with its common name if it has one."""
    return metric + (" (perplexity)" if metric == BASELINE else "")


def ranking_table(
    found: Search,
    always_shown: Sequence[str] = (),
    published: dict[str, dict[str, float]] | None = None,
    top: int = TOP,
) -> str:
    """The best metrics for each post-gen metric, and perplexity and `always_shown` at any rank.

    A published R² stands in brackets beside the one found.
    """
    rows = []
    for post, ranked in found.rankings.items():
        for rank, row in enumerate(ranked, 1):
            if rank > top and row.metric not in (*always_shown, BASELINE):
                continue
            r2 = format_share(row.r2)
            if published is not None:
                r2 += f" ({format_share(published[post][row.metric])})"
            low, high = map(format_share, row.interval)
            cells = [str(rank), f"{row.r:+.3f}", r2, f"{low} to {high}"]
            rows.append([post, display_name(row.metric), *cells])
    header = ["post-gen", "pre-gen", "place", "r", "R²", "95% interval"]
    return render_table(header, rows, "markdown", 2) + "\n"
