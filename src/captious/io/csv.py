"""CSV with a header; a list of references is one cell that holds a JSON list."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.errors import InputError
from captious.files.text_files import read_text, written_whole
from captious.io.spreadsheet_cells import guarded, guarded_column, unguarded
from captious.io.table import Table

MOST_CHARACTERS = 1 << 30  # of one cell; the csv module's own limit is a tenth of a megabyte


def read_table(path: Path) -> Table:
    """The rows of a file; rows without any cell are passed over."""
    csv.field_size_limit(MOST_CHARACTERS)
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    cells: list[list[str]] = []
    numbers: list[int] = []
    try:
        header = list(map(unguarded, next(reader, [])))
        started = reader.line_num + 1
        for row in reader:
            if row:
                if len(row) != len(header):
                    raise InputError(
                        f"{path}: line {started}: {len(row)} cells under a header of {len(header)};"
                        " put captions that hold a comma in double quotes"
                    )
                cells.append(row)
                numbers.append(started)
            started = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: malformed CSV ({error})") from None
    columns = [list(map(unguarded, column)) for column in zip(*cells, strict=True)] or [
        [] for _ in header
    ]
    if len(set(header)) != len(header):
        raise InputError(f"{path}: line 1: two columns have the same name")
    return Table(path, dict(zip(header, columns, strict=True)), "line", numbers)


def write_columns(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """A header, then one line a row."""
    header = list(map(guarded, columns))
    cells = [guarded_column(values) for values in columns.values()]
    # Before Python 3.13 the writer leaves bare what the reader takes for the end of a line.
    returns = any("\r" in cell for row in (header, *cells) for cell in row if isinstance(cell, str))
    with written_whole(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        writer = csv.writer(
            text,
            lineterminator="\n",
            quoting=csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL,
        )
        writer.writerow(header)
        writer.writerows(zip(*cells, strict=True))
        text.detach()
