"""Raw input rows, rewritten byte for byte with score columns appended.

A line of JSON keeps its spaces, the order of its names and all digits of its numbers, a row of
cells its quotes, a column of Parquet its type.
"""

from __future__ import annotations

import csv as standard_csv
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.atomic_files import atomic_write
from captious.io.csv import TAB, detect_delimiter, escape_formula
from captious.io.file_metadata import FileMetadata
from captious.io.formats import write_columns
from captious.io.input_tables import MISSING, InputTable, to_python_values
from captious.io.inputs import open_unpacked
from captious.io.json import json_text
from captious.io.parquet import ArrowColumns, pyarrow, write_arrow
from captious.io.parquet import join_files as join_parquet_files
from captious.io.remote_files import AnyPath
from captious.streaming.chunks import (
    BYTE_ORDER_MARK,
    Chunk,
    iter_chunks,
    split_quoted_records,
    split_tsv_records,
)
from captious.streaming.sources import resolve_sources

AddedColumns = Mapping[str, Sequence[Any]]  # new columns
ENDINGS = ("jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz", "tsv.gz")  # of parts
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
        return RawRows(self.form, self.head, _take_arrow_rows(self.rows, rows))


def add_columns(
    chunk: Chunk, table: InputTable, rows: Sequence[int], added: AddedColumns
) -> RawRows:
    """Some rows of a chunk, whose table this is, with columns added."""
    if isinstance(table.columns, ArrowColumns):
        return _add_to_arrow(table.columns.take(rows), added)
    added = {name: to_python_values(values) for name, values in added.items()}
    if chunk.source.format == JSONL:
        return _add_to_json_lines(chunk, table, rows, added)
    return _add_to_cells(chunk, table, rows, added)


def _add_to_arrow(table: Any, added: AddedColumns) -> RawRows:
    arrow = pyarrow()
    longer = table
    for name, values in added.items():
        is_single = isinstance(values, np.ndarray) and values.dtype == np.float32
        kind = arrow.float32() if is_single else arrow.float64()
        longer = longer.append_column(name, arrow.array(values, kind, from_pandas=True))
    form = tuple(f"{field.name}: {field.type}" for field in longer.schema)
    return RawRows(form, b"", longer.replace_schema_metadata(table.schema.metadata))


def _take_arrow_rows(table: Any, rows: Sequence[int]) -> Any:
    arrow = pyarrow()
    if len(rows) == table.num_rows:
        return table
    return table.take(arrow.array(rows, arrow.int64())).combine_chunks()


def _add_to_json_lines(
    chunk: Chunk, table: InputTable, rows: Sequence[int], added: AddedColumns
) -> RawRows:
    lines = chunk.content().split(b"\n")
    columns = [_json_members(name, column) for name, column in added.items()]
    members_of_rows = [
        ", ".join(filter(None, members)).encode("ascii") for members in zip(*columns, strict=True)
    ]
    longer = []
    for row, members in zip(rows, members_of_rows or [b""] * len(rows), strict=True):
        line = lines[table.numbers[row] - chunk.first].removeprefix(BYTE_ORDER_MARK).strip()
        if members:
            inner = line[1:-1].strip()
            line = b"{%b, %b}" % (inner, members) if inner else b"{%b}" % members
        longer.append(line + b"\n")
    return RawRows((JSONL,), b"", longer)


def _json_members(name: str, column: Sequence[Any]) -> Iterator[str]:
    """A column's cells as members of JSON objects; a missing cell is an empty text."""
    before = f"{json_text(name)}: "
    if all(type(value) is float and isfinite(value) for value in column):
        return map(before.__add__, map(repr, column))  # the same as json_text, and faster
    return ("" if value is MISSING else before + json_text(value) for value in column)


def _add_to_cells(
    chunk: Chunk, table: InputTable, rows: Sequence[int], added: AddedColumns
) -> RawRows:
    delimiter = _delimiter_of(chunk)
    records = [record for record in _split_records(chunk, delimiter) if record.strip(b"\r\n")]
    if len(records) != len(table):
        raise InputError(
            f"{chunk.place}: {len(table):,} rows, but {len(records):,} lines of cells; end every "
            "line with a line feed, as spreadsheets do"
        )
    end = b"\r\n" if chunk.head.endswith(b"\r\n") else b"\n"

    def append_cells(record: bytes, cells: Sequence[Any]) -> bytes:
        new = delimiter.encode() + _format_cells(cells, delimiter) if cells else b""
        return record.rstrip(b"\r\n") + new + end

    longer = (
        [
            append_cells(records[row], ["" if _is_missing(value) else value for value in values])
            for row, values in zip(rows, zip(*added.values(), strict=True), strict=True)
        ]
        if added
        else [append_cells(records[row], ()) for row in rows]
    )
    form = (delimiter, *table.columns, *added)
    head = append_cells(chunk.head, [escape_formula(name) for name in added])
    return RawRows(form, head, longer)


def _is_missing(value: Any) -> bool:
    return value is MISSING or value != value


def _delimiter_of(chunk: Chunk) -> str:
    """The mark between cells, as the parser of the rows detects it."""
    if chunk.source.format == TSV:
        return TAB
    text = (chunk.head + chunk.content()).decode("utf-8-sig", "replace")
    return detect_delimiter(io.StringIO(text, newline=""))


def _split_records(chunk: Chunk, delimiter: str) -> Iterator[bytes]:
    lines = iter(io.BytesIO(chunk.content()))  # which ends lines at line feeds alone
    head = chunk.head.removeprefix(BYTE_ORDER_MARK)
    if delimiter == TAB and not head.startswith(b'"'):
        return split_tsv_records(lines, chunk.head.count(b"\t"))
    return split_quoted_records(lines, delimiter)


def _format_cells(cells: Sequence[Any], delimiter: str) -> bytes:
    stream = io.StringIO()
    standard_csv.writer(stream, delimiter=delimiter, lineterminator="").writerow(cells)
    return stream.getvalue().encode()


def write_part(
    path: AnyPath,
    chunk: Chunk,
    table: InputTable,
    added: Mapping[str, Sequence[Any]],
    metadata: FileMetadata,
) -> None:
    """Write the rows of a chunk, whose table this is, with columns added.

    In the format of their file rows are copied byte for byte, in another one by their values.
    """
    format = path.name.removesuffix(".gz").rpartition(".")[2]
    if format == chunk.source.format:
        _write_piece(path, add_columns(chunk, table, range(len(table)), added), metadata)
    else:
        write_columns(path, {**table.columns, **added}, metadata if format == PARQUET else None)


def _write_piece(path: AnyPath, piece: RawRows, metadata: FileMetadata) -> None:
    with atomic_write(path) as stream:
        if isinstance(piece.rows, list):
            stream.write(piece.head)
            stream.writelines(piece.rows)
        else:
            write_arrow(stream, piece.rows, metadata)


def join_parts(parts: Sequence[AnyPath], path: AnyPath) -> None:
    """Concatenate parts into one file of the same format."""
    if path.suffix == ".parquet":
        join_parquet_files(parts, path)
        return
    heads = [_read_header(part) for part in parts]
    for part, head in zip(parts, heads, strict=True):
        if _normalize_header(head) != _normalize_header(heads[0]):
            raise InputError(
                f"{path}: the columns of rows in {part.name} are not those of {parts[0].name}, so "
                "that they cannot be one table; write .jsonl, or a folder of parts"
            )
    with atomic_write(path) as stream:
        # One in quotes, if any is, says that cells may hold ends of lines.
        stream.write(next((head for head in heads if head.startswith(b'"')), heads[0]))
        for part, head in zip(parts, heads, strict=True):
            with open_unpacked(part) as piece:
                piece.seek(len(head))
                shutil.copyfileobj(piece, stream)


def _read_header(part: AnyPath) -> bytes:
    """The header of a part; empty where rows name their values."""
    return next((chunk.head for chunk in iter_chunks(resolve_sources([str(part)]), 1)), b"")


def _normalize_header(head: bytes) -> bytes:
    """A header without its quotes, to be compared with others."""
    return head.removeprefix(BYTE_ORDER_MARK).rstrip(b"\r\n").replace(b'"', b"")
