"""Filtering a stream: chunks are sifted one by one, and what is left is chosen from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from tempfile import TemporaryFile

import numpy as np

from captious.engine.chunks import Chunk
from captious.engine.filtering.counts import DUPLICATE, NO_NUMBER, Counts, Failed
from captious.engine.filtering.duplicates import Seen
from captious.engine.filtering.near_duplicates import NearDuplicates
from captious.engine.filtering.selection import Choice, Standing, Wanted
from captious.engine.filtering.sifting import Sifted, Sifting
from captious.engine.filtering.spool import Spool
from captious.engine.raw_rows import Piece
from captious.engine.work import Engine
from captious.progress import tell

READ = "rows read"


@dataclass(frozen=True)
class Filter:
    """What rows are kept: those that pass the sifting, no duplicates, and of them the wanted ones.

    `cosine` is how near caption vectors of duplicates are.
    """

    sifting: Sifting
    wanted: Wanted
    cosine: float | None = None

    @property
    def needs_all_rows(self) -> bool:
        """Whether no row is known to stay before all are read."""
        return self.wanted.needs_all_rows or self.cosine is not None

    @property
    def is_of_single_rows(self) -> bool:
        """Whether what becomes of a row depends on no other row."""
        return not self.needs_all_rows and self.sifting.duplicates is None

    def run(
        self, chunks: Iterable[Chunk], engine: Engine, write: Callable[[Chunk, Piece], None]
    ) -> Counts:
        """Filter chunks wherever the engine works; what is kept is written in their order."""
        with ExitStack() as files:
            run = _Run(self, write, files)
            for chunk, sifted in _in_order(engine(self.sifting, chunks)):
                run.take(chunk, sifted)
                tell(READ, run.read, 0)
            return run.finish()

    def run_each(
        self, chunks: Iterable[Chunk], engine: Engine
    ) -> Iterator[tuple[Chunk, Piece, Counts]]:
        """The same for rows that depend on no others: each chunk by itself, in any order."""
        for chunk, sifted in engine(self.sifting, chunks):
            kept: list[tuple[Chunk, Piece]] = []
            with ExitStack() as files:
                run = _Run(self, lambda *each, kept=kept: kept.append(each), files)
                run.take(chunk, sifted)
                counts = run.finish()
            yield chunk, kept[0][1], counts


def _in_order(done: Iterable[tuple[Chunk, Sifted]]) -> Iterator[tuple[Chunk, Sifted]]:
    """Chunks by their numbers, from 0 on: those that are done early wait for those before them."""
    waiting: dict[int, tuple[Chunk, Sifted]] = {}
    following = 0
    for chunk, sifted in done:
        waiting[chunk.number] = chunk, sifted
        while following in waiting:
            yield waiting.pop(following)
            following += 1


class _Run:
    """What is known of the rows so far."""

    def __init__(
        self, filter: Filter, write: Callable[[Chunk, Piece], None], files: ExitStack
    ) -> None:
        self._filter, self._write = filter, write
        self.read = self._kept = 0
        self._failed = [Failed(each.written) for each in filter.sifting.where]
        self._dropped: dict[str, int] = {}
        self._seen = Seen()
        self._choice = Choice(filter.wanted)
        self._spool: Spool | None = None
        self._near: NearDuplicates | None = None
        if filter.needs_all_rows:
            self._spool = Spool(files.enter_context(TemporaryFile()))  # noqa: SIM115
        if filter.cosine is not None:
            vectors = files.enter_context(TemporaryFile())  # noqa: SIM115
            self._near = NearDuplicates(filter.cosine, vectors)
        self._waiting: list[Standing] = []  # for it to be known which are near duplicates

    def take(self, chunk: Chunk, sifted: Sifted) -> None:
        """What comes next."""
        rows = replace(sifted.rows, positions=sifted.rows.positions + self.read)
        piece = sifted.piece
        self.read += sifted.read
        self._failed = [a + b for a, b in zip(self._failed, sifted.failed, strict=True)]
        if self._filter.sifting.by is not None:
            self._drop(NO_NUMBER, sifted.unordered)
        if sifted.texts is not None:
            new = np.flatnonzero(self._seen.are_new(sifted.texts))
            self._drop(DUPLICATE, len(rows) - len(new))
            rows, piece = rows.take(new), piece.take(new.tolist())
        if self._spool is None:
            choice = Choice(self._filter.wanted)
            choice.add(rows)
            kept = np.isin(rows.positions, choice.finish())
            self._add_dropped(choice)
            self._keep(chunk, piece.take(np.flatnonzero(kept).tolist()))
            return
        self._spool.add(chunk, piece, rows.positions)
        if self._near is None:
            self._choice.add(rows)
        else:
            assert sifted.places is not None
            within = rows.images if self._filter.sifting.within_image else None
            self._near.add(sifted.places, within)
            self._waiting.append(rows)

    def finish(self) -> Counts:
        """Write what waited, and say what became of all rows."""
        if self._near is not None:
            rows = sum(self._waiting, Standing.none())
            new = self._near.are_new()
            self._drop(DUPLICATE, int((~new).sum()))
            self._choice.add(rows.take(new))
        if self._spool is not None:
            positions = self._choice.finish()
            self._add_dropped(self._choice)
            for chunk, piece in self._spool.kept(positions):
                self._keep(chunk, piece)
        return Counts(self.read, tuple(self._failed), self._dropped, self._kept)

    def _keep(self, chunk: Chunk, piece: Piece) -> None:
        self._kept += len(piece)
        self._write(chunk, piece)

    def _drop(self, reason: str, number: int) -> None:
        self._dropped[reason] = self._dropped.get(reason, 0) + number

    def _add_dropped(self, choice: Choice) -> None:
        for reason, number in choice.dropped.items():
            self._drop(reason, number)
