"""Rows written as a part: the user's columns as they were, and new ones beside them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.engine.chunks import Chunk
from captious.engine.raw_rows import Piece, piece_of
from captious.files.inputs import open_unpacked
from captious.files.json_text import json_text
from captious.files.text_files import written_whole
from captious.io import parquet
from captious.io.formats import write_columns
from captious.io.table import MISSING, Table

ENDINGS = ("jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz", "tsv.gz")


def write_part(
    path: Path,
    chunk: Chunk,
    table: Table,
    added: Mapping[str, Sequence[Any]],
    about: Mapping[str, str],
) -> None:
    """Write the rows of a chunk, whose table this is, with columns added.

    In the format of their file rows stay as they stand, in another one their values do. `about` is
    kept in the metadata of Parquet.
    """
    format = path.name.removesuffix(".gz").rpartition(".")[2]
    if format == chunk.source.format:
        _write_piece(path, piece_of(chunk, table, range(len(table)), added), about)
    elif format == "jsonl":
        _write_lines(path, table, added)
    elif format == "parquet":
        parquet.write_beside(path, table, added, about)
    else:
        write_columns(path, {**table.columns, **added})


def _write_piece(path: Path, piece: Piece, about: Mapping[str, str]) -> None:
    with written_whole(path) as stream:
        if isinstance(piece.rows, list):
            stream.write(piece.head)
            stream.writelines(piece.rows)
        else:
            parquet.write_arrow(stream, piece.rows, about)


def join(parts: Sequence[Path], path: Path) -> None:
    """All parts as one file of the same format."""
    if path.suffix == ".parquet":
        parquet.join(parts, path)
        return
    has_header = ".jsonl" not in path.name
    with written_whole(path) as stream:
        for number, part in enumerate(parts):
            with open_unpacked(part) as piece:
                if has_header and number:
                    piece.readline()  # our own headers are one line
                shutil.copyfileobj(piece, stream)


def _write_lines(path: Path, table: Table, added: Mapping[str, Sequence[Any]]) -> None:
    columns = {**table.columns, **added}
    with written_whole(path) as stream:
        for row in zip(*columns.values(), strict=True):
            values = zip(columns, row, strict=True)
            kept = {name: value for name, value in values if value is not MISSING}
            stream.write(f"{json_text(kept)}\n".encode("ascii"))
