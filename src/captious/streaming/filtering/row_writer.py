"""A file of the rows that are kept, in the form in which they were read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from captious.io.inputs import read_input
from captious.io.parquet import arrow_source, pyarrow, report_in_one_line
from captious.io.remote_files import AnyPath
from captious.streaming.raw_rows import RawRows


@dataclass
class RowWriter:
    """A file that pieces of the same form are written to one after another."""

    stream: IO[bytes]
    is_begun: bool = False
    writer: Any = None

    def write(self, piece: RawRows) -> None:
        """Write a piece."""
        if not self.is_begun:
            self.is_begun = True
            self.stream.write(piece.head)
            if not isinstance(piece.rows, list):
                self.writer = pyarrow().parquet.ParquetWriter(self.stream, piece.rows.schema)
        if self.writer is None:
            self.stream.writelines(piece.rows)
        elif len(piece):
            self.writer.write_table(piece.rows.cast(self.writer.schema))

    def close(self) -> None:
        """Write what ends a file."""
        if self.writer is not None:
            self.writer.close()


@contextmanager
def open_row_writer(stream: IO[bytes]) -> Iterator[RowWriter]:
    """A file in a stream, ended once the block ended well."""
    file = RowWriter(stream)
    try:
        yield file
    except BaseException:
        with suppress(Exception):  # what is half written is thrown away
            file.close()
        raise
    file.close()


def read_rows(path: AnyPath, head: int) -> RawRows:
    """All that such a file holds, as a piece; its head has so many bytes."""
    if path.suffix == ".parquet":
        arrow = pyarrow()
        with report_in_one_line(path, arrow):
            return RawRows((), b"", arrow.parquet.read_table(arrow_source(path)))
    data = read_input(path)
    return RawRows((), data[:head], [data[head:]])
