"""The file formats by name: which module reads and writes a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from captious.checks.arguments import checked
from captious.errors import InputError
from captious.io import csv, json, jsonl, parquet
from captious.io.table import Table

FORMATS: dict[str, ModuleType] = {
    ".json": json,
    ".jsonl": jsonl,
    ".csv": csv,
    ".parquet": parquet,
}


def format_of(path: str | Path) -> ModuleType:
    """The module for a file, by its name: the same for `scores.csv` and `scores.csv.gz`."""
    suffix = Path(str(path).lower().removesuffix(".gz")).suffix
    if suffix not in FORMATS:
        raise InputError(
            f"{path}: unknown kind of file; name it {', '.join(FORMATS)}, each perhaps with .gz"
        )
    return FORMATS[suffix]


@checked
def read_table(path: str | Path) -> Table:
    """The columns of any file that Captious reads."""
    path = Path(path)
    table: Table = format_of(path).read_table(path)
    return table


@checked
def write_columns(path: str | Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns as whatever the file's name says."""
    path = Path(path)
    format_of(path).write_columns(path, columns)
