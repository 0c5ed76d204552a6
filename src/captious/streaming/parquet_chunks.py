"""Rows of a Parquet file, some thousand at a time, without reading it whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from logging import DEBUG
from os import SEEK_END
from typing import IO, Any, NamedTuple

from captious.io.input_tables import InputTable
from captious.io.inputs import open_input
from captious.io.parquet import (
    BYTES_A_VALUE,
    SizeLimit,
    arrow_source,
    one_line,
    open_parquet,
    pyarrow,
    table_of_batches,
)
from captious.io.parquet_footer import ColumnChunk, read_column_chunks

BYTES_PER_READ = 1 << 20


class Range(NamedTuple):
    """Rows `start` to `end` of a row group; `first` is the first one's number in the file."""

    group: int
    start: int
    end: int
    first: int
    digest: str


def ranges_of(path: str, rows: int, most_bytes: int) -> Iterator[Range]:
    """The row groups of a file, cut into ranges of so many rows, or fewer where they are long."""
    arrow = pyarrow()
    with open_input(path) as stream, one_line(path, arrow):
        about = arrow.parquet.ParquetFile(stream).metadata
        limit = SizeLimit.of_file(path, stream.seek(0, SEEK_END))
        first = 1
        for group, chunks in enumerate(read_column_chunks(stream)):
            count = about.row_group(group).num_rows
            for chunk in chunks:  # of lists, a row may hold any number
                limit.check(BYTES_A_VALUE * chunk.values)
            digest = _digest(stream, chunks)
            size = max(about.row_group(group).total_byte_size, 1)
            step = max(1, min(rows, count * most_bytes // size))
            for start in range(0, count, step):
                end = min(start + step, count)
                yield Range(group, start, end, first + start, f"{digest}:{start}:{end}")
            first += count


def _digest(stream: IO[bytes], chunks: Sequence[ColumnChunk]) -> str:
    """A hash of a row group's bytes."""
    hashed = hashlib.blake2b(digest_size=16)
    for chunk in chunks:
        stream.seek(chunk.start)
        left = chunk.packed_bytes
        while left > 0 and (piece := stream.read(min(BYTES_PER_READ, left))):
            hashed.update(piece)
            left -= len(piece)
    return hashed.hexdigest()


@dataclass
class _Reader:
    """A row group that is read from its beginning on; earlier rows are passed over."""

    path: str
    group: int
    schema: Any
    size: int
    batches: Any
    at: int = 0

    @classmethod
    def of(cls, path: str, group: int, rows: int) -> _Reader:
        arrow = pyarrow()
        with open_input(path, DEBUG) as stream:
            size = stream.seek(0, SEEK_END)
        with one_line(path, arrow):
            file, schema = open_parquet(lambda: arrow_source(path))
            batches = file.iter_batches(batch_size=rows, row_groups=[group])
        return cls(path, group, schema, size, batches)


_open_reader: _Reader | None = (
    None  # a process that works on one range after another goes on reading
)


def table_of(path: str, group: int, start: int, end: int, first: int) -> InputTable:
    """The rows of a range."""
    global _open_reader
    arrow = pyarrow()
    rows = end - start
    found = []
    if (
        _open_reader is None
        or (_open_reader.path, _open_reader.group) != (path, group)
        or _open_reader.at > start
    ):
        _open_reader = _Reader.of(path, group, rows)
    with one_line(path, arrow):
        while _open_reader.at < end:
            batch = next(_open_reader.batches)
            begin, _open_reader.at = _open_reader.at, _open_reader.at + batch.num_rows
            if _open_reader.at > start:
                found.append(batch.slice(max(start - begin, 0), end - max(start, begin)))
        table = table_of_batches(
            found, _open_reader.schema, SizeLimit.of_file(path, _open_reader.size)
        )
    return replace(table, numbers=range(first, first + rows))
