"""A folder of parts of the rows that are kept: what is left of each chunk, in a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.engine.chunks import Chunk
from captious.engine.filtering.counts import Counts
from captious.engine.filtering.filter_stream import Filter
from captious.engine.filtering.kept_file import kept_file
from captious.engine.parts import MANIFEST, Part, Parts, sha256_of
from captious.engine.raw_rows import Piece
from captious.engine.work import Engine
from captious.errors import InputError
from captious.files.text_files import read_text, written_whole
from captious.io.json import parse


@dataclass
class KeptParts:
    """Rows filtered into a folder, which a process that was stopped leaves to the next one.

    Where rows depend on no others, parts that are there are not made again.
    """

    folder: Path
    ending: str
    filter: Filter
    settings: Mapping[str, Any]

    def run(self, chunks: Iterable[Chunk], engine: Engine) -> Counts:
        """Filter chunks wherever the engine works."""
        parts = Parts.begun(self.folder, self.settings, has_sums=False)
        read: list[int] = []  # the numbers of chunks
        if parts.is_finished:
            return self._finished(parts, chunks)

        def left() -> Iterator[Chunk]:
            for chunk in chunks:
                read.append(chunk.number)
                if not (self.filter.is_of_single_rows and parts.has(chunk)):
                    yield chunk

        try:
            return self._worked(parts, left(), read, engine)
        except BaseException:
            parts.leave()
            raise

    def _worked(
        self, parts: Parts, left: Iterator[Chunk], read: list[int], engine: Engine
    ) -> Counts:
        if self.filter.is_of_single_rows:
            for chunk, piece, counts in self.filter.run_each(left, engine):
                self._write(parts, chunk, piece, counts)
            total = Counts.none(each.written for each in self.filter.sifting.where)
            for number in read:
                total += Counts.of_dict(parts.done[number].counts)
        else:
            total = self.filter.run(left, engine, lambda *kept: self._write(parts, *kept))
        parts.check_all_read(len(read))
        parts.finish(len(read), None, {"counts": total.to_dict()})
        return total

    def _write(
        self, parts: Parts, chunk: Chunk, piece: Piece, counts: Counts | None = None
    ) -> None:
        name, sha256 = "", ""
        if len(piece):
            name = f"part-{chunk.number:06d}.{self.ending}"
            with written_whole(self.folder / name) as stream, kept_file(stream) as file:
                file.write(chunk, piece)
            sha256 = sha256_of(self.folder / name)
        known = {} if counts is None else counts.to_dict()
        rows = 0 if counts is None else counts.read
        parts.add(Part(chunk.number, chunk.digest, rows, len(piece), name, sha256, known), None)

    def _finished(self, parts: Parts, chunks: Iterable[Chunk]) -> Counts:
        """What an earlier process counted, if the input is still what it read."""
        number = 0
        for chunk in chunks:
            number += 1
            if not parts.has(chunk):
                raise InputError(
                    f"{self.folder}: a part was changed or removed; name another folder, or remove "
                    "this one"
                )
        parts.check_all_read(number)
        manifest = parse(read_text(self.folder / MANIFEST), str(self.folder / MANIFEST))
        return Counts.of_dict(manifest["counts"])
