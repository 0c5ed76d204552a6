"""Rows written as a part: the user's columns as they were, and new ones beside them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.files.inputs import open_unpacked
from captious.files.json_text import json_text
from captious.files.text_files import written_whole
from captious.io import parquet
from captious.io.formats import write_columns
from captious.io.table import MISSING, Table

ENDINGS = ("jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz", "tsv.gz")


def write_part(
    path: Path,
    table: Table,
    added: Mapping[str, Sequence[Any]],
    rows: Sequence[int] | None = None,
    about: Mapping[str, str] | None = None,
) -> int:
    """Write some rows of a table, or all, with columns added; the number of rows.

    Values and types of the table stay as they are: a row of JSON has the names that it had, a
    column of Parquet its type. `about` is kept in the metadata of Parquet.
    """
    chosen = range(len(table)) if rows is None else rows
    new = {name: [values[row] for row in chosen] for name, values in added.items()}
    if ".jsonl" in path.name:
        _write_lines(path, table, chosen, new)
    elif path.suffix == ".parquet":
        parquet.write_beside(path, table, chosen, new, about or {})
    else:
        kept = {name: [table.columns[name][row] for row in chosen] for name in table.columns}
        write_columns(path, {**kept, **new})
    return len(chosen)


def join(parts: Sequence[Path], path: Path) -> None:
    """All parts as one file of the same format."""
    if path.suffix == ".parquet":
        parquet.join(parts, path)
        return
    has_header = ".jsonl" not in path.name
    with written_whole(path) as stream:
        for number, part in enumerate(parts):
            with open_unpacked(part) as piece:
                if has_header and number:
                    piece.readline()  # our own headers are one line
                shutil.copyfileobj(piece, stream)


def _write_lines(
    path: Path, table: Table, rows: Sequence[int], new: Mapping[str, Sequence[Any]]
) -> None:
    columns = {name: table.columns[name] for name in table.columns}
    with written_whole(path) as stream:
        for place, row in enumerate(rows):
            values = {name: column[row] for name, column in columns.items()}
            kept = {name: value for name, value in values.items() if value is not MISSING}
            added = {name: column[place] for name, column in new.items()}
            stream.write(f"{json_text({**kept, **added})}\n".encode("ascii"))
