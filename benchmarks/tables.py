"""Tables of a benchmark's measurements: printed, and written as JSON for the benchmarks page."""

from __future__ import annotations

import argparse
import json
import statistics
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tabulate import tabulate

WIDTH = 100


@dataclass(frozen=True)
class Table:
    """Rows of text under a header; `about` says in whole sentences what they are."""

    about: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """The option by which the page has figures from a script."""
    parser.add_argument("--json", type=Path, help="also write what was measured to this file")


def show(tables: Iterable[Table], file: Path | None = None, figures: Any = None) -> None:
    """Print tables; with a file, write them there too, beside the figures they were made of."""
    tables = list(tables)
    texts = [
        f"{textwrap.fill(table.about, WIDTH)}\n\n"
        + tabulate(table.rows, table.header, disable_numparse=True, colalign=_align(table))
        for table in tables
    ]
    print("\n\n".join(texts))
    if file is not None:
        written = {"tables": [asdict(table) for table in tables], "figures": figures}
        file.write_text(json.dumps(written), encoding="utf-8")


def median_and_range(values: Sequence[float], decimals: int = 2) -> str:
    """A cell: the median and, of several values, the least and the most."""
    shown = (statistics.median(values), min(values), max(values))
    median, least, most = (f"{value:,.{decimals}f}" for value in shown)
    # A no-break space and a dash: a cell of a narrow page stays on one line.
    return f"{median}\N{NO-BREAK SPACE}({least}\N{EN DASH}{most})" if len(values) > 1 else median


def _align(table: Table) -> list[str]:
    """Names on the left, figures on the right."""
    return ["left", *["right"] * (len(table.header) - 1)]
