"""TSV: as CSV, with a tab between cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.io import csv
from captious.io.input_tables import InputTable


def table_of(data: bytes, path: Path | str, lines_before: int = 0) -> InputTable:
    """The rows of a file."""
    return csv.table_of(data, path, lines_before, (csv.TAB,))


def write_columns(path: Path | str, columns: Mapping[str, Sequence[Any]]) -> None:
    """A header, then one line a row."""
    csv.write_columns(path, columns, csv.TAB)
