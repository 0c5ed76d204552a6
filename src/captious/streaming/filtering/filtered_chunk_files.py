"""Temporary files of filtered chunks, until it is known which of their rows are kept.

Nothing in such a file is ever executed: it has arrays of numbers and the bytes of rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from logging import DEBUG
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.io.atomic_files import atomic_write
from captious.io.inputs import open_input
from captious.io.json import json_text
from captious.io.parquet import pyarrow
from captious.io.remote_files import AnyPath
from captious.streaming.filtering.chunk_filter import FilteredChunk
from captious.streaming.filtering.counts import ConditionCounts
from captious.streaming.filtering.selection import RemainingRows
from captious.streaming.raw_rows import RawRows

Bytes = npt.NDArray[np.uint8]


def save_filtered_chunk(path: AnyPath, sifted: FilteredChunk, piece: RawRows) -> None:
    """Put a sifted chunk and its rows aside."""
    rows = sifted.rows
    is_text = isinstance(piece.rows, list)
    about = {
        "read": sifted.read,
        "failed": [(each.condition, each.rows, each.missing) for each in sifted.failed],
        "unordered": sifted.unordered,
        "form": piece.form,
        "is_text": is_text,
    }
    arrays: dict[str, npt.NDArray[Any] | None] = {
        "about": _bytes(json_text(about).encode()),
        "head": _bytes(piece.head),
        "rows": _bytes(b"".join(piece.rows) if is_text else _arrow_bytes(piece.rows)),
        "lengths": np.array([len(row) for row in piece.rows] if is_text else [], np.int64),
        "positions": rows.positions,
        "keys": rows.keys,
        "images": rows.images,
        "draws": rows.draws,
        "texts": sifted.texts,
        "places": sifted.places,
    }
    there: dict[str, Any] = {name: each for name, each in arrays.items() if each is not None}
    with atomic_write(path) as stream:
        np.savez(stream, **there)


@dataclass(frozen=True)
class FilteredChunkFile:
    """A sifted chunk that was put aside, read as far as it is asked for."""

    path: AnyPath

    def read_chunk(self) -> FilteredChunk:
        """All that is known of the chunk, but its rows themselves."""
        with self._open() as file:
            about = json.loads(file["about"].tobytes())
            return FilteredChunk(
                about["read"],
                tuple(ConditionCounts(*each) for each in about["failed"]),
                about["unordered"],
                RemainingRows(*(file[name] for name in ("positions", "keys", "images", "draws"))),
                *(file.get(name) for name in ("texts", "places")),
            )

    def positions(self) -> npt.NDArray[np.int64]:
        """Where the rows stand in their chunk."""
        with self._open() as file:
            positions: npt.NDArray[np.int64] = file["positions"]
            return positions

    def piece(self) -> RawRows:
        """The rows."""
        with self._open() as file:
            about = json.loads(file["about"].tobytes())
            data, ends = file["rows"].tobytes(), np.cumsum(file["lengths"]).tolist()
            rows: Any = (
                [data[start:end] for start, end in pairwise([0, *ends])]
                if about["is_text"]
                else pyarrow().ipc.open_stream(data).read_all()
            )
            return RawRows(tuple(about["form"]), file["head"].tobytes(), rows)

    @contextmanager
    def _open(self) -> Iterator[Any]:
        with open_input(self.path, DEBUG) as stream, np.load(stream, allow_pickle=False) as file:
            yield file


def _bytes(data: bytes) -> Bytes:
    return np.frombuffer(data, np.uint8)


def _arrow_bytes(table: Any) -> bytes:
    arrow = pyarrow()
    gathered = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(gathered, table.schema) as stream:
        stream.write_table(table)
    return bytes(gathered.getvalue())
