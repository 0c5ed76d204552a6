"""A file of the rows that are kept, in the form in which they were read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from captious.engine.chunks import Chunk
from captious.engine.raw_rows import Piece
from captious.errors import InputError
from captious.io.parquet import pyarrow


@dataclass
class KeptFile:
    """A file that pieces are written to one after another."""

    stream: IO[bytes]
    first: tuple[Chunk, Piece] | None = None
    writer: Any = None

    def write(self, chunk: Chunk, piece: Piece) -> None:
        """Write a piece, whose chunk this was; all must have the same columns."""
        if self.first is None:
            self.first = chunk, piece.take(())
            self.stream.write(piece.head)
            if not isinstance(piece.rows, list):
                self.writer = pyarrow().parquet.ParquetWriter(self.stream, piece.rows.schema)
        self._check_form(chunk, piece)
        if self.writer is None:
            self.stream.writelines(piece.rows)
        elif len(piece):
            self.writer.write_table(piece.rows.cast(self.writer.schema))

    def close(self) -> None:
        """Write what ends a file."""
        if self.writer is not None:
            self.writer.close()

    def _check_form(self, chunk: Chunk, piece: Piece) -> None:
        assert self.first is not None
        before, first = self.first
        if piece.form != first.form:
            raise InputError(
                f"{chunk.source.path}: has other columns, or another order or mark between them, "
                f"than {before.source.path}; files that are joined must have the same"
            )


@contextmanager
def kept_file(stream: IO[bytes]) -> Iterator[KeptFile]:
    """A file in a stream, ended once the block ended well."""
    file = KeptFile(stream)
    try:
        yield file
    except BaseException:
        with suppress(Exception):  # what is half written is thrown away
            file.close()
        raise
    file.close()
