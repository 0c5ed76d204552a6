"""Chunks of input rows: located by the main process, parsed by the worker processes.

A chunk of an ordinary file is a range of its bytes, which any process can read; one of a packed
file or of standard input carries its bytes. Only whole rows lie in a chunk.
"""

from __future__ import annotations

import csv as standard_csv
import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import IO

from captious.errors import InputError
from captious.io.csv import TAB, allow_long_cells, detect_delimiter, parse_csv, parse_tsv
from captious.io.formats import STANDARD
from captious.io.input_tables import InputTable
from captious.io.inputs import STANDARD_INPUT, open_input, open_standard_input, open_unpacked
from captious.io.json import parse_json_lines
from captious.streaming import parquet_chunks
from captious.streaming.sources import Source

ROWS_PER_CHUNK = 16_384  # of a chunk, and of a part of the output
MAX_CHUNK_BYTES = 256 << 20  # of a chunk: rows of long captions make smaller ones
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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
            return parquet_chunks.table_of(
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
    for found in parquet_chunks.ranges_of(source.path, rows, MAX_CHUNK_BYTES):
        yield Chunk(0, source, found.first, found.start, found.end, found.digest, group=found.group)


SPLITTERS: dict[str, Callable[[Source, int], Iterator[Chunk]]] = {
    "jsonl": _split_jsonl,
    "csv": _split_csv,
    "tsv": _split_tsv,
    "parquet": _split_parquet,
}


def open_source(source: Source) -> AbstractContextManager[IO[bytes]]:
    """What a source holds, unpacked."""
    return open_standard_input() if source.file == STANDARD else open_unpacked(source.file)


@contextmanager
def _open_lines(source: Source) -> Iterator[Iterator[bytes]]:
    """The lines of a stream, each with its end, none of which can fill the memory."""
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
    """Rows as chunks: so many of them, or fewer where they are long."""
    start, first = len(head), 1 + head.count(b"\n")
    some: list[bytes] = []
    size = 0

    def chunk() -> Chunk:
        data = b"".join(some)
        digest = hashlib.blake2b(head + data, digest_size=16).hexdigest()
        kept = data if source.is_stream else None
        return Chunk(0, source, first, start, start + size, digest, head, kept)

    for record in records:
        if len(record) > MAX_CHUNK_BYTES:
            line = first + sum(each.count(b"\n") for each in some)
            raise InputError(
                f"{source.path}: line {line:,}: a row of more than {MAX_CHUNK_BYTES >> 20} MB"
            )
        if some and (len(some) == rows or size + len(record) > MAX_CHUNK_BYTES):
            yield chunk()
            start, first = start + size, first + sum(each.count(b"\n") for each in some)
            some.clear()
            size = 0
        some.append(record)
        size += len(record)
    if some:
        yield chunk()
