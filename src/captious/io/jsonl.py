"""JSON Lines: one object a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.files.json_text import json_text
from captious.files.text_files import decoded, written_whole
from captious.io.forms import table_of_rows
from captious.io.json import parse
from captious.io.table import Table


def table_of(data: bytes, path: Path | str, lines_before: int = 0) -> Table:
    """The rows of a file, or of the rest of one; blank lines are passed over."""
    # Not splitlines: a line separator inside a caption is part of it.
    lines = decoded(data, path, lines_before).split("\n")
    first = 1 + lines_before
    numbers = [number for number, line in enumerate(lines, first) if line.strip(" \t\r")]
    rows = [parse(lines[number - first], str(path), number) for number in numbers]
    return table_of_rows(path, rows, "line", numbers)


def write_columns(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """One object a line."""
    with written_whole(path) as stream:
        for row in zip(*columns.values(), strict=True):
            line = json_text(dict(zip(columns, row, strict=True)))
            stream.write(f"{line}\n".encode("ascii"))
