"""Measured tables in pages: where a comment names one, it is written there at build time."""

from __future__ import annotations

import re

from documentation_site.measured import agreement, costs, gaming
from documentation_site.metric_headers import BENCHMARKS

_PLACE = re.compile(r"^<!-- table: (\w+) of (.+) -->$", re.MULTILINE)


def insert_tables(text: str) -> str:
    """A page with the tables that it asks for."""
    return _PLACE.sub(lambda asked: TABLES[asked[1]](asked[2].split(", ")), text)


def _agreement_table(columns: list[str]) -> str:
    rows = [
        [f"`{column}`", *(agreement()[column][name] for name in BENCHMARKS)] for column in columns
    ]
    return _markdown(["metric", *BENCHMARKS.values()], rows)


def _gaming_table(metrics: list[str]) -> str:
    header = list(next(iter(gaming().values())))
    rows = [[gaming()[name][column] for column in header] for name in metrics]
    return _markdown(["metric", *header[1:]], rows)


def _cost_table(metrics: list[str]) -> str:
    rows = [
        [f"`{name}`", f"{costs()[name]['seconds']:.2f}", f"{costs()[name]['megabytes']:.0f}"]
        for name in metrics
    ]
    return _markdown(["metric", "seconds", "MB"], rows)


def _markdown(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES = {"agreement": _agreement_table, "gaming": _gaming_table, "cost": _cost_table}
