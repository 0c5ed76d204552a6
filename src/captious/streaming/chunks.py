"""Chunks of input rows: located by the main process, parsed by the worker processes.

A chunk of an ordinary file is a range of its bytes, which any process can read; one of a packed
file or of standard input carries its bytes. Only whole rows lie in a chunk.
"""

from __future__ import annotations

import csv as standard_csv
import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from logging import DEBUG
from os import SEEK_END
from typing import IO, Any

from captious.errors import InputError
from captious.io.csv import TAB, allow_long_cells, detect_delimiter, parse_csv, parse_tsv
from captious.io.formats import STANDARD
from captious.io.input_tables import InputTable
from captious.io.inputs import STANDARD_INPUT, open_input
from captious.io.json import parse_json_lines
from captious.io.parquet import (
    BYTES_PER_VALUE,
    SizeLimit,
    arrow_source,
    open_parquet,
    pyarrow,
    report_in_one_line,
    table_of_batches,
)
from captious.io.parquet_footer import ColumnChunk, read_column_chunks
from captious.streaming.sources import Source, open_source

ROWS_PER_CHUNK = 16_384  # of a chunk, and of a part of the output
MAX_CHUNK_BYTES = 256 << 20  # of a chunk: rows of long captions make smaller ones
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BYTES_PER_READ = 1 << 20  # of a row group that is hashed
MAX_HEADER_LINES = 100  # in which a header and a first row end
PARSERS = {"jsonl": parse_json_lines, "csv": parse_csv, "tsv": parse_tsv}


@dataclass(frozen=True)
class Chunk:
    """Rows that follow each other in a source.

    `start` and `end` are bytes of a file, or rows of a Parquet file's `group`; `data` has the bytes
    where no range has them. `first` is the number of the first line or row, as users count, and
    `head` a header that belongs to every chunk.
    """

    number: int
    source: Source
    first: int
    start: int
    end: int
    digest: str
    head: bytes = b""
    data: bytes | None = None
    group: int = 0

    @property
    def place(self) -> str:
        """Where its rows stand, for messages."""
        name = STANDARD_INPUT if self.source.path == STANDARD else self.source.path
        unit = "row" if self.source.format == "parquet" else "line"
        return f"{name}: from {unit} {self.first:,} on"

    def table(self) -> InputTable:
        """Its rows."""
        if self.source.format == "parquet":
            return _read_parquet_rows(
                self.source.path, self.group, self.start, self.end, self.first
            )
        name = STANDARD_INPUT if self.source.path == STANDARD else self.source.path
        left_out = self.first - 1 - self.head.count(b"\n")
        return PARSERS[self.source.format](self.head + self.content(), name, left_out)

    def content(self) -> bytes:
        """The bytes of its rows, without the header."""
        if self.data is not None:
            return self.data
        with open_input(self.source.file) as stream:
            stream.seek(self.start)
            return stream.read(self.end - self.start)


def iter_chunks(sources: Sequence[Source], rows: int = ROWS_PER_CHUNK) -> Iterator[Chunk]:
    """All chunks of all sources, in order; nothing is read before it is asked for."""
    number = 0
    for source in sources:
        for chunk in SPLITTERS[source.format](source, rows):
            yield replace(chunk, number=number)
            number += 1


def _split_jsonl(source: Source, rows: int) -> Iterator[Chunk]:
    with _open_lines(source) as lines:
        yield from _group_into_chunks(source, b"", lines, rows)


def _split_tsv(source: Source, rows: int) -> Iterator[Chunk]:
    with _open_lines(source) as lines:
        head = next(lines, b"")
        if head.removeprefix(BYTE_ORDER_MARK).startswith(b'"'):  # as `io.csv` tells quoted cells
            records = split_quoted_records(chain([head], lines), TAB)
            head = next(records, b"")
        else:
            records = split_tsv_records(lines, head.count(b"\t"))
        yield from _group_into_chunks(source, head, records, rows)


def _split_csv(source: Source, rows: int) -> Iterator[Chunk]:
    with _open_lines(source) as lines:
        first = list(islice(lines, MAX_HEADER_LINES))
        text = b"".join(first).decode("utf-8", "replace")
        delimiter = detect_delimiter(io.StringIO(text, newline=""))
        records = split_quoted_records(chain(first, lines), delimiter)
        head = next(records, b"")
        following = next(records, None)
        if following is None and b"\r" in head.rstrip(b"\r\n"):
            # Lines that end in carriage returns alone are one line to us: not a header alone.
            head, following = b"", head
        yield from _group_into_chunks(
            source, head, chain([following] if following else [], records), rows
        )


def _split_parquet(source: Source, rows: int) -> Iterator[Chunk]:
    """Ranges of so many rows of each row group, or of fewer where they are long."""
    path, arrow = source.path, pyarrow()
    with open_input(path) as stream, report_in_one_line(path, arrow):
        about = arrow.parquet.ParquetFile(stream).metadata
        limit = SizeLimit.of_file(path, stream.seek(0, SEEK_END))
        first = 1
        for group, column_chunks in enumerate(read_column_chunks(stream)):
            count = about.row_group(group).num_rows
            for column_chunk in column_chunks:  # of lists, a row may hold any number
                limit.check(BYTES_PER_VALUE * column_chunk.values)
            digest = _hash_row_group(stream, column_chunks)
            size = max(about.row_group(group).total_byte_size, 1)
            step = max(1, min(rows, count * MAX_CHUNK_BYTES // size))
            for start in range(0, count, step):
                end = min(start + step, count)
                digest_of_range = f"{digest}:{start}:{end}"
                yield Chunk(0, source, first + start, start, end, digest_of_range, group=group)
            first += count


SPLITTERS: dict[str, Callable[[Source, int], Iterator[Chunk]]] = {
    "jsonl": _split_jsonl,
    "csv": _split_csv,
    "tsv": _split_tsv,
    "parquet": _split_parquet,
}


@contextmanager
def _open_lines(source: Source) -> Iterator[Iterator[bytes]]:
    """The lines of a source with their ends, each of bounded length."""
    with open_source(source) as stream:
        yield iter(lambda: stream.readline(MAX_CHUNK_BYTES + 1), b"")


def split_quoted_records(lines: Iterator[bytes], delimiter: str) -> Iterator[bytes]:
    """The bytes of each row of cells, which may hold ends of lines within quotes."""
    read: list[bytes] = []

    def texts() -> Iterator[str]:
        for line in lines:
            read.append(line)
            yield line.decode("utf-8", "replace")  # the parser reports what is wrong

    allow_long_cells()
    reader = standard_csv.reader(texts(), delimiter=delimiter, strict=True)
    try:
        for _ in reader:
            yield b"".join(read)
            read.clear()
    except standard_csv.Error:
        yield b"".join(read)  # the parser reports it with its line


def split_tsv_records(lines: Iterator[bytes], tabs: int) -> Iterator[bytes]:
    """The bytes of each row with tabs between cells: a line, unless one has other cells.

    Then its cells may stand in quotes, and hold ends of lines.
    """
    for line in lines:
        if line.count(b"\t") == tabs or not line.strip(b"\r\n"):
            yield line
        else:
            yield next(split_quoted_records(chain([line], lines), TAB), b"")


def _group_into_chunks(
    source: Source, head: bytes, records: Iterator[bytes], rows: int
) -> Iterator[Chunk]:
    """Chunks of so many rows, or of fewer where they are long."""
    start, first = len(head), 1 + head.count(b"\n")
    group: list[bytes] = []
    size = 0

    def chunk() -> Chunk:
        data = b"".join(group)
        digest = hashlib.blake2b(head + data, digest_size=16).hexdigest()
        carried = data if source.is_stream else None
        return Chunk(0, source, first, start, start + size, digest, head, carried)

    for record in records:
        if len(record) > MAX_CHUNK_BYTES:
            line = first + sum(each.count(b"\n") for each in group)
            raise InputError(
                f"{source.path}: line {line:,}: a row of more than {MAX_CHUNK_BYTES >> 20} MB"
            )
        if group and (len(group) == rows or size + len(record) > MAX_CHUNK_BYTES):
            yield chunk()
            start, first = start + size, first + sum(each.count(b"\n") for each in group)
            group.clear()
            size = 0
        group.append(record)
        size += len(record)
    if group:
        yield chunk()


def _hash_row_group(stream: IO[bytes], chunks: Sequence[ColumnChunk]) -> str:
    """A hash of a row group's bytes."""
    digest = hashlib.blake2b(digest_size=16)
    for chunk in chunks:
        stream.seek(chunk.start)
        left = chunk.packed_bytes
        while left > 0 and (piece := stream.read(min(BYTES_PER_READ, left))):
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest()


@dataclass
class _RowGroupReader:
    """Reader of a row group from its beginning on; earlier rows are skipped."""

    path: str
    group: int
    schema: Any
    size: int
    batches: Any
    at: int = 0

    @classmethod
    def open(cls, path: str, group: int, rows: int) -> _RowGroupReader:
        arrow = pyarrow()
        with open_input(path, DEBUG) as stream:
            size = stream.seek(0, SEEK_END)
        with report_in_one_line(path, arrow):
            file, schema = open_parquet(lambda: arrow_source(path))
            batches = file.iter_batches(batch_size=rows, row_groups=[group])
        return cls(path, group, schema, size, batches)


# A process that works on one range after another continues reading.
_open_reader: _RowGroupReader | None = None


def _read_parquet_rows(path: str, group: int, start: int, end: int, first: int) -> InputTable:
    """The rows of a range."""
    global _open_reader
    arrow = pyarrow()
    rows = end - start
    batches = []
    if (
        _open_reader is None
        or (_open_reader.path, _open_reader.group) != (path, group)
        or _open_reader.at > start
    ):
        _open_reader = _RowGroupReader.open(path, group, rows)
    with report_in_one_line(path, arrow):
        while _open_reader.at < end:
            batch = next(_open_reader.batches)
            begin, _open_reader.at = _open_reader.at, _open_reader.at + batch.num_rows
            if _open_reader.at > start:
                batches.append(batch.slice(max(start - begin, 0), end - max(start, begin)))
        table = table_of_batches(
            batches, _open_reader.schema, SizeLimit.of_file(path, _open_reader.size)
        )
    return replace(table, numbers=range(first, first + rows))
