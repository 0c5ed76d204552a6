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
    median = statistics.median(values)
    if len(values) == 1:
        return f"{median:,.{decimals}f}"
    return _with_range(median, min(values), max(values), decimals)


def ratio_and_range(theirs: Sequence[float], ours: Sequence[float], decimals: int = 1) -> str:
    """A cell: how many times ours theirs is, and the least and the most of any two runs."""
    ratio = statistics.median(theirs) / statistics.median(ours)
    if len(theirs) == len(ours) == 1:
        return f"{ratio:.{decimals}f}"
    return _with_range(ratio, min(theirs) / max(ours), max(theirs) / min(ours), decimals)


def _with_range(value: float, least: float, most: float, decimals: int) -> str:
    # A no-break space and a dash: a cell of a narrow page stays on one line.
    shown, *ends = (f"{each:,.{decimals}f}" for each in (value, least, most))
    return f"{shown}\N{NO-BREAK SPACE}({ends[0]}\N{EN DASH}{ends[1]})"


def _align(table: Table) -> list[str]:
    """Names on the left, figures on the right."""
    return ["left", *["right"] * (len(table.header) - 1)]
