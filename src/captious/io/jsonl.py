"""JSON Lines: one object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.io.atomic_files import atomic_write
from captious.io.forms import table_of_rows
from captious.io.input_tables import InputTable
from captious.io.json import parse, rows_of
from captious.io.json_text import json_text
from captious.io.text_files import decode_utf8

_decode = json.JSONDecoder().raw_decode


def table_of(data: bytes, path: Path | str, lines_before: int = 0) -> InputTable:
    """The rows of a file, or of the rest of one; blank lines are passed over."""
    # Not splitlines: a line separator inside a caption is part of it.
    lines = decode_utf8(data, path, lines_before).split("\n")
    first = 1 + lines_before
    numbers = [number for number, line in enumerate(lines, first) if line.strip(" \t\r")]
    rows = [_row(lines[number - first], path, number) for number in numbers]
    return table_of_rows(path, rows, "line", numbers)


def _row(line: str, path: Path | str, number: int) -> Any:
    """The value of a line: of nearly all at once, and else with everything that may be said."""
    try:
        value, end = _decode(line)
    except (ValueError, RecursionError):
        value, end = None, -1
    return value if end == len(line) else parse(line, str(path), number)


def write_columns(path: Path | str, columns: Mapping[str, Sequence[Any]]) -> None:
    """One object a line."""
    with atomic_write(path) as stream:
        for row in rows_of(columns):
            stream.write(f"{json_text(row)}\n".encode("ascii"))
