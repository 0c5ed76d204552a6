"""Which rows of a stream are kept: filtered chunks are put aside in files, then chosen from.

Nothing in such a file is ever executed: it has arrays of numbers and the bytes of rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from logging import DEBUG
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.progress import report_progress
from captious.io.atomic_files import atomic_write
from captious.io.inputs import open_input
from captious.io.json import json_text
from captious.io.parquet import pyarrow
from captious.io.remote_files import AnyPath
from captious.streaming.filtering.chunk_filter import ChunkFilter, FilteredChunk
from captious.streaming.filtering.counts import DUPLICATE, NO_NUMBER, ConditionCounts, FilterCounts
from captious.streaming.filtering.duplicates import NearDuplicates, SeenCaptions
from captious.streaming.filtering.selection import RemainingRows, RowSelector, SelectionRules
from captious.streaming.raw_rows import RawRows

PROGRESS_LABEL = "rows chosen from"
Rows = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Filter:
    """Which rows are kept: those that pass the conditions, without duplicates, by the rules.

    `cosine` is how near caption vectors of duplicates are.
    """

    chunk_filter: ChunkFilter
    wanted: SelectionRules
    cosine: float | None = None

    @property
    def needs_all_rows(self) -> bool:
        """Whether no row is known to stay before all are read."""
        return self.wanted.needs_all_rows or self.cosine is not None

    @property
    def is_of_single_rows(self) -> bool:
        """Whether what becomes of a row depends on no other row."""
        return not self.needs_all_rows and self.chunk_filter.duplicates is None

    def filter_chunk(self, filtered: FilteredChunk, piece: RawRows) -> tuple[RawRows, FilterCounts]:
        """What is kept of one chunk, where rows depend on no others."""
        run = _FilterRun(self)
        return piece.take(run.select(run.add_chunk(filtered)).tolist()), run.counts()

    def choose(
        self, aside: Sequence[FilteredChunkFile], write: Callable[[int, RawRows], None]
    ) -> FilterCounts:
        """What is kept of all chunks: each is written, in their order, with its number."""
        with ExitStack() as files:
            run = _FilterRun(self)
            if self.cosine is not None:
                vectors = files.enter_context(TemporaryFile())
                run.near = NearDuplicates(self.cosine, vectors)
            for number, places in run.select_all(aside):
                write(number, aside[number].piece().take(places.tolist()))
        return run.counts()


@dataclass(frozen=True)
class _DistinctRows:
    """Rows that are no duplicates by their text, and their places in what is left of the chunk."""

    rows: RemainingRows  # positions are those in the whole input
    places: Rows


class _FilterRun:
    """What is known of the rows so far."""

    def __init__(self, filter: Filter) -> None:
        self._filter = filter
        self._read = self._kept = 0
        self._failed = [ConditionCounts(each.source) for each in filter.chunk_filter.where]
        self._dropped: dict[str, int] = {}
        self._seen = SeenCaptions()
        self.near: NearDuplicates | None = None

    def add_chunk(self, filtered: FilteredChunk) -> _DistinctRows:
        """What comes next."""
        rows = replace(filtered.rows, positions=filtered.rows.positions + self._read)
        self._read += filtered.read
        self._failed = [a + b for a, b in zip(self._failed, filtered.failed, strict=True)]
        if self._filter.chunk_filter.by is not None:
            self._drop(NO_NUMBER, filtered.unordered)
        if filtered.texts is None:
            return _DistinctRows(rows, np.arange(len(rows)))
        new = np.flatnonzero(self._seen.are_new(filtered.texts))
        self._drop(DUPLICATE, len(rows) - len(new))
        return _DistinctRows(rows.take(new), new)

    def select(self, taken: _DistinctRows) -> Rows:
        """The places of those that are wanted, where that depends on no later rows."""
        choice = RowSelector(self._filter.wanted)
        choice.add(taken.rows)
        return taken.places[np.isin(taken.rows.positions, self._finish_selection(choice))]

    def select_all(self, aside: Sequence[FilteredChunkFile]) -> Iterator[tuple[int, Rows]]:
        """The places of those that are wanted, chunk by chunk, wherever others of them stand."""
        if not self._filter.needs_all_rows:
            for number, file in enumerate(aside):
                yield number, self.select(self.add_chunk(file.read_chunk()))
                report_progress(PROGRESS_LABEL, self._read, 0)
            return
        starts = []
        choice = RowSelector(self._filter.wanted)
        waiting = []  # for it to be known which are near duplicates
        for file in aside:
            starts.append(self._read)
            filtered = file.read_chunk()
            taken = self.add_chunk(filtered)
            if self.near is None:
                choice.add(taken.rows)
            else:
                assert filtered.places is not None
                within = taken.rows.images if self._filter.chunk_filter.within_image else None
                self.near.add(filtered.places, within)
                waiting.append(taken.rows)
            report_progress(PROGRESS_LABEL, self._read, 0)
        if self.near is not None:
            new = self.near.are_new()
            self._drop(DUPLICATE, int((~new).sum()))
            choice.add(RemainingRows.joined(waiting).take(new))
        positions = self._finish_selection(choice)
        ends = [*starts[1:], self._read]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            first, last = np.searchsorted(positions, (start, end))
            own = positions[first:last] - start
            yield number, np.searchsorted(aside[number].positions(), own)

    def counts(self) -> FilterCounts:
        """What became of all rows."""
        return FilterCounts(self._read, tuple(self._failed), self._dropped, self._kept)

    def _finish_selection(self, choice: RowSelector) -> Rows:
        positions = choice.finish()
        self._kept += len(positions)
        for reason, number in choice.dropped.items():
            self._drop(reason, number)
        return positions

    def _drop(self, reason: str, number: int) -> None:
        self._dropped[reason] = self._dropped.get(reason, 0) + number


def save_filtered_chunk(path: AnyPath, filtered: FilteredChunk, piece: RawRows) -> None:
    """Put a filtered chunk and its rows aside."""
    rows = filtered.rows
    is_text = isinstance(piece.rows, list)
    about = {
        "read": filtered.read,
        "failed": [(each.condition, each.rows, each.missing) for each in filtered.failed],
        "unordered": filtered.unordered,
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
        "texts": filtered.texts,
        "places": filtered.places,
    }
    there: dict[str, Any] = {name: each for name, each in arrays.items() if each is not None}
    with atomic_write(path) as stream:
        np.savez(stream, **there)


@dataclass(frozen=True)
class FilteredChunkFile:
    """A filtered chunk that was put aside, read as far as it is asked for."""

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
