"""Cells and tables that several sections of the page share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.io.output_tables import render_table
from captious.pregen.names import ALIASES, PERPLEXITY
from captious.pregen.search import Search

TOP = 5
BASELINE = ALIASES[PERPLEXITY]


def figure(value: float) -> str:
    """A share as this page shows it, without its leading zero."""
    return np.format_float_positional(value, 3, unique=False).lstrip("0") if value < 1 else "1"


def signed(value: float) -> str:
    """The same of what may be below 0."""
    shown = figure(abs(value))
    return f"-{shown}" if value < 0 and shown.strip(".0") else shown


def span(values: Sequence[float]) -> str:
    """From the lowest to the highest."""
    return f"{figure(min(values))} to {figure(max(values))}"


def display_name(metric: str) -> str:
    """A pre-gen metric's name, with its common name if it has one."""
    return metric + (" (perplexity)" if metric == BASELINE else "")


def ranking(
    found: Search,
    also: Sequence[str] = (),
    published: dict[str, dict[str, float]] | None = None,
    top: int = TOP,
) -> str:
    """The best for each post-gen metric, some others wherever they stand, and perplexity.

    A published R² stands in brackets beside the one found.
    """
    rows = []
    for post, ranked in found.rankings.items():
        for place, row in enumerate(ranked, 1):
            if place > top and row.metric not in (*also, BASELINE):
                continue
            shown = figure(row.r2)
            if published is not None:
                shown += f" ({figure(published[post][row.metric])})"
            low, high = map(figure, row.interval)
            cells = [str(place), f"{row.r:+.3f}", shown, f"{low} to {high}"]
            rows.append([post, display_name(row.metric), *cells])
    header = ["post-gen", "pre-gen", "place", "r", "R²", "95% interval"]
    return render_table(header, rows, "markdown", 2) + "\n"
