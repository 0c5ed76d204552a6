"""Raw input rows, rewritten byte for byte with score columns appended.

A line of JSON keeps its spaces, the order of its names and all digits of its numbers, a row of
cells its quotes, a column of Parquet its type.
"""

from __future__ import annotations

import csv as standard_csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.csv import TAB, detect_delimiter, escape_formula
from captious.io.input_tables import MISSING, InputTable, to_python_values
from captious.io.json import json_text
from captious.io.parquet import ArrowColumns, pyarrow
from captious.streaming.chunks import (
    BYTE_ORDER_MARK,
    Chunk,
    split_quoted_records,
    split_tsv_records,
)

AddedColumns = Mapping[str, Sequence[Any]]  # new columns
JSONL, TSV, PARQUET = "jsonl", "tsv", "parquet"


@dataclass(frozen=True)
class RawRows:
    """Rows of one chunk, ready to be written: lines below a head, or a table of Arrow.

    Pieces that follow each other in one file have the same `form`: their columns, and what stands
    between them.
    """

    form: tuple[str, ...]
    head: bytes
    rows: Any

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Sequence[int]) -> RawRows:
        """Some of the rows."""
        if isinstance(self.rows, list):
            return RawRows(self.form, self.head, [self.rows[row] for row in rows])
        return RawRows(self.form, self.head, _arrow_rows(self.rows, rows))


def raw_rows_of(
    chunk: Chunk, table: InputTable, rows: Sequence[int], added: AddedColumns
) -> RawRows:
    """Some rows of a chunk, whose table this is, with columns added."""
    if isinstance(table.columns, ArrowColumns):
        return _of_arrow(table.columns.take(rows), added)
    added = {name: to_python_values(values) for name, values in added.items()}
    if chunk.source.format == JSONL:
        return _of_json(chunk, table, rows, added)
    return _of_cells(chunk, table, rows, added)


def _of_arrow(table: Any, added: AddedColumns) -> RawRows:
    arrow = pyarrow()
    kept = table
    for name, values in added.items():
        single = isinstance(values, np.ndarray) and values.dtype == np.float32
        kind = arrow.float32() if single else arrow.float64()
        kept = kept.append_column(name, arrow.array(values, kind, from_pandas=True))
    form = tuple(f"{field.name}: {field.type}" for field in kept.schema)
    return RawRows(form, b"", kept.replace_schema_metadata(table.schema.metadata))


def _arrow_rows(table: Any, rows: Sequence[int]) -> Any:
    arrow = pyarrow()
    if len(rows) == table.num_rows:
        return table
    return table.take(arrow.array(rows, arrow.int64())).combine_chunks()


def _of_json(chunk: Chunk, table: InputTable, rows: Sequence[int], added: AddedColumns) -> RawRows:
    lines = chunk.content().split(b"\n")
    named = [_json_members(name, column) for name, column in added.items()]
    news = [", ".join(filter(None, each)).encode("ascii") for each in zip(*named, strict=True)]
    kept = []
    for row, new in zip(rows, news or [b""] * len(rows), strict=True):
        line = lines[table.numbers[row] - chunk.first].removeprefix(BYTE_ORDER_MARK).strip()
        if new:
            inner = line[1:-1].strip()
            line = b"{%b, %b}" % (inner, new) if inner else b"{%b}" % new
        kept.append(line + b"\n")
    return RawRows((JSONL,), b"", kept)


def _json_members(name: str, column: Sequence[Any]) -> Iterator[str]:
    """A column's cells as members of objects in JSON; one that is missing is an empty text."""
    before = f"{json_text(name)}: "
    if all(type(value) is float and isfinite(value) for value in column):
        return map(before.__add__, map(repr, column))  # which json_text takes its time for
    return ("" if value is MISSING else before + json_text(value) for value in column)


def _of_cells(chunk: Chunk, table: InputTable, rows: Sequence[int], added: AddedColumns) -> RawRows:
    delimiter = _delimiter(chunk)
    records = [record for record in _records(chunk, delimiter) if record.strip(b"\r\n")]
    if len(records) != len(table):
        raise InputError(
            f"{chunk.place}: {len(table):,} rows, but {len(records):,} lines of cells; end every "
            "line with a line feed, as spreadsheets do"
        )
    end = b"\r\n" if chunk.head.endswith(b"\r\n") else b"\n"

    def longer(record: bytes, cells: Sequence[Any]) -> bytes:
        new = delimiter.encode() + _written(cells, delimiter) if cells else b""
        return record.rstrip(b"\r\n") + new + end

    kept = (
        [
            longer(records[row], ["" if _is_missing(value) else value for value in values])
            for row, values in zip(rows, zip(*added.values(), strict=True), strict=True)
        ]
        if added
        else [longer(records[row], ()) for row in rows]
    )
    form = (delimiter, *table.columns, *added)
    return RawRows(form, longer(chunk.head, [escape_formula(name) for name in added]), kept)


def _is_missing(value: Any) -> bool:
    return value is MISSING or value != value


def _delimiter(chunk: Chunk) -> str:
    """What stands between cells, as the parser of the rows detected it."""
    if chunk.source.format == TSV:
        return TAB
    text = (chunk.head + chunk.content()).decode("utf-8-sig", "replace")
    return detect_delimiter(io.StringIO(text, newline=""))


def _records(chunk: Chunk, delimiter: str) -> Iterator[bytes]:
    lines = iter(io.BytesIO(chunk.content()))  # which ends lines at line feeds alone
    head = chunk.head.removeprefix(BYTE_ORDER_MARK)
    if delimiter == TAB and not head.startswith(b'"'):
        return split_tsv_records(lines, chunk.head.count(b"\t"))
    return split_quoted_records(lines, delimiter)


def _written(cells: Sequence[Any], delimiter: str) -> bytes:
    stream = io.StringIO()
    standard_csv.writer(stream, delimiter=delimiter, lineterminator="").writerow(cells)
    return stream.getvalue().encode()
