"""Rows written as a part: the user's columns as they were, and new ones beside them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from captious.errors import InputError
from captious.io import parquet
from captious.io.atomic_files import atomic_write
from captious.io.file_metadata import FileMetadata
from captious.io.formats import write_columns
from captious.io.input_tables import InputTable
from captious.io.inputs import open_unpacked
from captious.io.remote_files import AnyPath
from captious.streaming.chunks import BYTE_ORDER_MARK, Chunk, iter_chunks
from captious.streaming.raw_rows import PARQUET, RawRows, raw_rows_of
from captious.streaming.sources import resolve_sources

ENDINGS = ("jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz", "tsv.gz")


def write_part(
    path: AnyPath,
    chunk: Chunk,
    table: InputTable,
    added: Mapping[str, Sequence[Any]],
    once: FileMetadata,
) -> None:
    """Write the rows of a chunk, whose table this is, with columns added.

    In the format of their file rows stay as they stand, in another one their values do. `once` is
    kept in the metadata of Parquet.
    """
    format = path.name.removesuffix(".gz").rpartition(".")[2]
    if format == chunk.source.format:
        _write_piece(path, raw_rows_of(chunk, table, range(len(table)), added), once)
    else:
        write_columns(path, {**table.columns, **added}, once if format == PARQUET else None)


def _write_piece(path: AnyPath, piece: RawRows, once: FileMetadata) -> None:
    with atomic_write(path) as stream:
        if isinstance(piece.rows, list):
            stream.write(piece.head)
            stream.writelines(piece.rows)
        else:
            parquet.write_arrow(stream, piece.rows, once)


def join(parts: Sequence[AnyPath], path: AnyPath) -> None:
    """All parts as one file of the same format."""
    if path.suffix == ".parquet":
        parquet.join(parts, path)
        return
    heads = [_head(part) for part in parts]
    for part, head in zip(parts, heads, strict=True):
        if _names(head) != _names(heads[0]):
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


def _head(part: AnyPath) -> bytes:
    """The header of a part, which is none where rows name their values."""
    return next((chunk.head for chunk in iter_chunks(resolve_sources([str(part)]), 1)), b"")


def _names(head: bytes) -> bytes:
    """What a header says, whether it stands in quotes or not."""
    return head.removeprefix(BYTE_ORDER_MARK).rstrip(b"\r\n").replace(b'"', b"")
