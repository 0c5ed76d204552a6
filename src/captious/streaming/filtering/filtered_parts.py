"""A folder of parts of the rows that are kept: what is left of each chunk, in a file of its own.

Where a row depends on others, chunks are filtered first and put aside; then rows are chosen from
all of them. A killed process leaves the chunks that were done, filtered or kept, to a resumed run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import IO, Any

from captious._internal.progress import report_progress
from captious.errors import InputError
from captious.io.atomic_files import atomic_write
from captious.io.inputs import read_input, read_text, sha256_of
from captious.io.json import decode_json
from captious.io.parquet import arrow_source, pyarrow, report_in_one_line
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.io.remote_files import AnyPath, as_path, remove_folder
from captious.streaming.chunks import Chunk
from captious.streaming.filtering.chunk_filter import FilteredChunk
from captious.streaming.filtering.counts import FilterCounts
from captious.streaming.filtering.filter_stream import (
    Filter,
    FilteredChunkFile,
    save_filtered_chunk,
)
from captious.streaming.folder_lock import ANOTHER_FOLDER_ADVICE
from captious.streaming.parts import Part, Parts
from captious.streaming.raw_rows import RawRows
from captious.streaming.tasks import Engine

PROGRESS_LABEL = "rows read"
FORM, HEAD = "form", "head"  # of a part that is joined to others


@dataclass(frozen=True)
class FilterChunks:
    """The task: filter a chunk, and write what is kept of it, or what may be.

    Parts that are `joined` to one file are written even if they have no row: with their header.
    """

    filter: Filter
    folder: str
    ending: str
    joined: bool

    def begin(self) -> Callable[[Chunk], Part]:
        """Load what the metrics need, once."""
        filter_chunk = self.filter.chunk_filter.begin()
        return lambda chunk: self._write_part(chunk, *filter_chunk(chunk))

    def _write_part(self, chunk: Chunk, filtered: FilteredChunk, piece: RawRows) -> Part:
        part = Part(chunk.number, chunk.digest, filtered.read)
        if self.filter.is_of_single_rows:
            kept, counts = self.filter.filter_chunk(filtered, piece)
            return self.write_kept(replace(part, counts=counts.to_dict()), kept)
        name = f"{UNFINISHED}/sifted-{chunk.number:06d}.npz"
        path = as_path(self.folder) / name
        save_filtered_chunk(path, filtered, piece)
        about = {FORM: list(piece.form)} if self.joined else {}
        return replace(part, written=len(piece), file=name, sha256=sha256_of(path), counts=about)

    def write_kept(self, part: Part, piece: RawRows) -> Part:
        """A part with what is kept of its chunk."""
        about = {FORM: list(piece.form), HEAD: len(piece.head)} if self.joined else {}
        part = replace(
            part, written=len(piece), file="", sha256="", counts={**part.counts, **about}
        )
        if not len(piece) and not self.joined:
            return part
        path = as_path(self.folder) / f"part-{part.number:06d}.{self.ending}"
        with atomic_write(path) as stream, open_row_writer(stream) as file:
            file.write(piece)
        return replace(part, file=path.name, sha256=sha256_of(path))


@dataclass
class FilteredParts:
    """Rows filtered into a locked folder; with `joined`, to be joined to one file."""

    folder: AnyPath
    ending: str
    filter: Filter
    settings: Mapping[str, Any]
    joined: bool = False
    _parts: Sequence[Part] = ()  # that are joined

    def run(self, chunks: Iterable[Chunk], engine: Engine) -> FilterCounts:
        """Filter chunks wherever the engine works."""
        parts = Parts.open(self.folder, self.settings, has_sums=False)
        if parts.is_finished:
            return self._finished_counts(parts, chunks)
        task = FilterChunks(self.filter, str(self.folder), self.ending, self.joined)
        number = self._filter_chunks(parts, chunks, engine, task)
        if self.filter.is_of_single_rows:
            total = FilterCounts.none(each.source for each in self.filter.chunk_filter.where)
            for each in range(number):
                total += FilterCounts.from_dict(parts.done[each].counts)
        else:
            filtered = [parts.done[each] for each in range(number)]
            total = self.filter.choose(
                [FilteredChunkFile(self.folder / each.file) for each in filtered],
                lambda each, piece: parts.replace(task.write_kept(filtered[each], piece)),
            )
        self._parts = [parts.done[each] for each in range(number)]
        if not self.joined:
            parts.finish(number, None, {"counts": total.to_dict()})
        return total

    def join(self, stream: IO[bytes]) -> None:
        """All parts as one file."""
        with open_row_writer(stream) as file:
            for part in self._parts:
                file.write(read_rows(self.folder / part.file, part.counts[HEAD]))

    def _filter_chunks(
        self, parts: Parts, chunks: Iterable[Chunk], engine: Engine, task: FilterChunks
    ) -> int:
        """Filter all chunks that have not been; how many there are."""
        number = read = 0
        first: tuple[str, Part] | None = None

        def done(chunk: Chunk, part: Part) -> None:
            nonlocal read, first
            read += part.read
            report_progress(PROGRESS_LABEL, read, 0)
            first = first or (chunk.source.path, part)
            if self.joined:
                _check_form(*first, chunk.source.path, part)

        def remaining_chunks() -> Iterator[Chunk]:
            nonlocal number
            for chunk in chunks:
                number += 1
                if parts.has_part(chunk):
                    done(chunk, parts.done[chunk.number])
                else:
                    yield chunk

        for chunk, part in engine(task, remaining_chunks()):
            parts.add(part, None)
            done(chunk, part)
        parts.check_all_read(number)
        return number

    def _finished_counts(self, parts: Parts, chunks: Iterable[Chunk]) -> FilterCounts:
        """What an earlier process counted, if the input is still what it read."""
        number = 0
        for chunk in chunks:
            number += 1
            if not parts.has_part(chunk):
                raise InputError(
                    f"{self.folder}: a part was changed or removed; {ANOTHER_FOLDER_ADVICE}"
                )
        parts.check_all_read(number)
        remove_folder(self.folder / UNFINISHED)  # left where a process was killed while it did so
        manifest = decode_json(read_text(self.folder / MANIFEST), str(self.folder / MANIFEST))
        return FilterCounts.from_dict(manifest["counts"])


def _check_form(first: str, begun: Part, path: str, part: Part) -> None:
    """Stop where rows of different columns would become one file."""
    if part.counts[FORM] != begun.counts[FORM]:
        raise InputError(
            f"{path}: has other columns, or another order or mark between them, than {first}; "
            "files that are joined must have the same"
        )


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
