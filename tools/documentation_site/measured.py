"""Measured tables, read from the pages that the measuring commands wrote."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AGREEMENT = ROOT / "docs" / "agreement.md"
COSTS = ROOT / "docs" / "metrics" / "costs.json"
ROBUSTNESS = ROOT / "docs" / "robustness.md"
ADVICE = ROOT / "docs" / "which_metric.md"

Row = dict[str, str]


def find_table(page: Path, column: str) -> list[Row]:
    """Find the first table of a page whose first column has this name; return rows by column."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^\| {re.escape(column)} +\|.*\n(?:\|.*\n)+", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{page.name}: no table whose first column is {column!r}")
    header, _, *rows = [_cells(line) for line in found[0].splitlines()]
    return [dict(zip(header, row, strict=True)) for row in rows]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


@cache
def agreement() -> dict[str, Row]:
    """How well columns agree with people: by benchmark, as the protocol `standard` has it."""
    rows = find_table(AGREEMENT, "metric")
    return {row["metric"]: {name: row[name].split(" ")[0] for name in row} for row in rows}


@cache
def costs() -> dict[str, dict[str, float]]:
    """Seconds and megabytes of each metric for 5,000 captions."""
    read: dict[str, dict[str, float]] = json.loads(COSTS.read_text(encoding="utf-8"))["metrics"]
    return read


@cache
def advice() -> dict[str, Row]:
    """When to use a metric and when not, by the name of its page."""
    rows = find_table(ADVICE, "metric")
    pages = [re.search(r"\(metrics/(\w+\.md)\)", row["metric"]) for row in rows]
    return {page[1]: row for page, row in zip(pages, rows, strict=True) if page}


@cache
def gaming() -> dict[str, Row]:
    """How often metrics prefer a human caption to one that games them."""
    return {row["gaming"].strip("`"): row for row in find_table(ROBUSTNESS, "gaming")}
