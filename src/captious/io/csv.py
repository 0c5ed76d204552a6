"""CSV and TSV: cells in rows under a header, with a comma, a tab or another mark between them.

A list of references is one cell that holds a JSON list. Spreadsheets run a cell that begins like a
formula: text that begins that way gets an apostrophe before it, which they do not
show. Numbers, such as the id -5, stay as they are. Reading takes the apostrophe away again, and one
more is written before text that had one.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from captious.errors import InputError, OutputError
from captious.io.atomic_files import atomic_write
from captious.io.input_tables import MISSING, InputTable, to_python_values
from captious.io.inputs import decode_utf8
from captious.io.json import json_text

MAX_CELL_CHARACTERS = 1 << 30  # the csv module's own limit is a tenth of a megabyte
COMMA, TAB = ",", "\t"
DELIMITERS = (COMMA, TAB, ";", "|")
Rows = tuple[list[str], list[list[str]], list[int]]  # the header, each row's cells and its number
_DELIMITER_NAMES = {COMMA: "a comma", TAB: "a tab", ";": "a semicolon", "|": "a bar"}
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def parse_csv(
    data: bytes,
    path: Path | str,
    lines_before: int = 0,
    delimiters: Sequence[str] = DELIMITERS,
) -> InputTable:
    """The rows of a file; rows without any cell are skipped.

    `lines_before` lines that were left out between the header and the first row are counted.
    """
    allow_long_cells()
    text = decode_utf8(data, path, lines_before)
    stream = io.StringIO(text, newline="")
    delimiter = detect_delimiter(stream, delimiters)
    header, cells, numbers = (
        _split_tabs(text, stream, path, lines_before)
        if delimiter == TAB
        else _split_quoted(stream, path, delimiter, lines_before)
    )
    if len(set(header)) != len(header):
        raise InputError(f"{path}: line 1: two columns have the same name")
    columns = [list(map(unescape_formula, column)) for column in zip(*cells, strict=True)] or [
        [] for _ in header
    ]
    is_usual = delimiter == delimiters[0]
    remarks = () if is_usual else (f"{_DELIMITER_NAMES[delimiter]} between cells",)
    numbers = [number + lines_before for number in numbers]
    return InputTable(
        path, dict(zip(header, columns, strict=True)), "line", numbers, remarks=remarks
    )


def parse_tsv(data: bytes, path: Path | str, lines_before: int = 0) -> InputTable:
    """The rows of a file with tabs between cells."""
    return parse_csv(data, path, lines_before, (TAB,))


def allow_long_cells() -> None:
    """Let the csv module read cells of any length that a caption can have."""
    csv.field_size_limit(MAX_CELL_CHARACTERS)


def detect_delimiter(stream: io.StringIO, delimiters: Sequence[str] = DELIMITERS) -> str:
    """The first mark that splits header and first row into as many cells, and more than one."""
    for delimiter in delimiters:
        stream.seek(0)
        reader = csv.reader(stream, delimiter=delimiter)
        try:
            header = next(reader, [])
            first = next(filter(None, reader), header)
        except csv.Error:
            continue
        if len(header) == len(first) > 1:
            return delimiter
    return delimiters[0]


def _split_tabs(text: str, stream: io.StringIO, path: Path | str, lines_before: int) -> Rows:
    """Rows that are lines, unless quotes are meant: a header in quotes says so, or cells do."""
    if text.startswith('"'):
        with suppress(InputError):  # some programs write quotes within quotes otherwise
            return _split_quoted(stream, path, TAB, lines_before)
    return _split_tabs_in_lines(text) or _split_quoted(stream, path, TAB, lines_before)


def _split_tabs_in_lines(text: str) -> Rows | None:
    """Rows that are lines, with a tab between cells; None if lines differ in their cells.

    Programs that write tabs put nothing in quotes, as a rule: a caption that begins with a quote
    must not run on to the next line that has one.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    numbers = [number for number, line in enumerate(lines, 1) if line]
    header, *cells = [lines[number - 1].split(TAB) for number in numbers] or [[]]
    if any(len(row) != len(header) for row in cells):
        return None
    bare = [list(map(_remove_quotes, row)) for row in (header, *cells)]
    return list(map(unescape_formula, bare[0])), bare[1:], numbers[1:]


def _remove_quotes(cell: str) -> str:
    """The text of a cell in quotes; any other cell stays as it is."""
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        inner = cell[1:-1]
        if '"' not in inner.replace('""', ""):
            return inner.replace('""', '"')
    return cell


def _split_quoted(stream: io.StringIO, path: Path | str, delimiter: str, lines_before: int) -> Rows:
    """Rows whose cells may stand in quotes, and then hold anything."""
    stream.seek(0)
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    cells: list[list[str]] = []
    numbers: list[int] = []
    try:
        header = list(map(unescape_formula, next(reader, [])))
        started = reader.line_num + 1
        for row in reader:
            if row:
                if len(row) != len(header):
                    line = started + lines_before
                    raise InputError(
                        f"{path}: line {line}: {len(row)} cells under a header of {len(header)};"
                        f" put captions that hold {_DELIMITER_NAMES[delimiter]} in double quotes"
                    )
                cells.append(row)
                numbers.append(started)
            started = reader.line_num + 1
    except csv.Error as error:
        line = reader.line_num + lines_before
        raise InputError(f"{path}: line {line}: malformed CSV ({error})") from None
    return header, cells, numbers


def write_csv(
    path: Path | str, columns: Mapping[str, Sequence[Any]], delimiter: str = COMMA
) -> None:
    """Write a header, then one line a row."""
    with atomic_write(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        _write(text, columns, delimiter)
        text.detach()


def write_tsv(path: Path | str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write the same with tabs between cells."""
    write_csv(path, columns, TAB)


def csv_text(columns: Mapping[str, Sequence[Any]]) -> str:
    """The same as text, without the end of its last line."""
    text = io.StringIO(newline="")
    _write(text, columns, COMMA)
    return text.getvalue().removesuffix("\n")


def _write(text: TextIO, columns: Mapping[str, Sequence[Any]], delimiter: str) -> None:
    header = list(map(escape_formula, columns))
    cells = [_escape_formulas(_as_cells(to_python_values(values))) for values in columns.values()]
    quoted = _needs_quotes((header, *cells), delimiter)
    writer = csv.writer(
        text,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL,
    )
    try:
        writer.writerow(header)
        writer.writerows(zip(*cells, strict=True))
    except csv.Error:
        raise OutputError(
            "a text has a null character, which Python writes into no cell before 3.11; "
            "take another format than CSV"
        ) from None


def _as_cells(values: Sequence[Any]) -> Sequence[Any]:
    """Values of which lists are written as JSON has them; a missing one is an empty cell."""
    if not {list, dict, type(MISSING)} & set(map(type, values)):
        return values
    there = ("" if value is MISSING else value for value in values)
    return [json_text(value) if isinstance(value, list | dict) else value for value in there]


def _needs_quotes(columns: Iterable[Sequence[Any]], delimiter: str) -> bool:
    """Whether all text must stand in quotes, the header's, too, to be read as it was written.

    Before Python 3.13 the writer leaves bare a return, which the reader takes for the end of a
    line. Tabs and line breaks within cells could make lines that look like rows.
    """
    marks = "\r\n\t" if delimiter == TAB else "\r"
    texts = (cell for column in columns for cell in column if isinstance(cell, str))
    return any(mark in text for text in texts for mark in marks)


def escape_formula(cell: Any) -> Any:
    """A cell as it is written, so that no spreadsheet takes it for a formula."""
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def _escape_formulas(cells: Sequence[Any]) -> Sequence[Any]:
    """Cells as they are written; columns of numbers, which most are, need no look at each."""
    return list(map(escape_formula, cells)) if str in set(map(type, cells)) else cells


def unescape_formula(cell: str) -> str:
    """A cell as it was before it was written."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell
