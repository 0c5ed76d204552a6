"""Which rows of a stream are kept: of those left of sifted chunks, the ones that are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from tempfile import TemporaryFile

import numpy as np
import numpy.typing as npt

from captious._internal.progress import report_progress
from captious.streaming.filtering.counts import DUPLICATE, NO_NUMBER, Counts, Failed
from captious.streaming.filtering.duplicates import Seen
from captious.streaming.filtering.near_duplicates import NearDuplicates
from captious.streaming.filtering.selection import Choice, Standing, Wanted
from captious.streaming.filtering.sifted_files import SiftedFile
from captious.streaming.filtering.sifting import Sifted, Sifting
from captious.streaming.raw_rows import Piece

CHOSEN = "rows chosen from"
Rows = npt.NDArray[np.int64]


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

    def of_one(self, sifted: Sifted, piece: Piece) -> tuple[Piece, Counts]:
        """What is kept of one chunk, where rows depend on no others."""
        run = _Run(self)
        return piece.take(run.stay(run.taken(sifted)).tolist()), run.counts()

    def choose(self, aside: Sequence[SiftedFile], write: Callable[[int, Piece], None]) -> Counts:
        """What is kept of all chunks: each is written, in their order, with its number."""
        with ExitStack() as files:
            run = _Run(self)
            if self.cosine is not None:
                vectors = files.enter_context(TemporaryFile())
                run.near = NearDuplicates(self.cosine, vectors)
            for number, places in run.all_chosen(aside):
                write(number, aside[number].piece().take(places.tolist()))
        return run.counts()


@dataclass(frozen=True)
class _Taken:
    """Rows that are no duplicates by their text, and their places in what is left of the chunk."""

    rows: Standing  # positions are those in the whole input
    places: Rows


class _Run:
    """What is known of the rows so far."""

    def __init__(self, filter: Filter) -> None:
        self._filter = filter
        self._read = self._kept = 0
        self._failed = [Failed(each.written) for each in filter.sifting.where]
        self._dropped: dict[str, int] = {}
        self._seen = Seen()
        self.near: NearDuplicates | None = None

    def taken(self, sifted: Sifted) -> _Taken:
        """What comes next."""
        rows = replace(sifted.rows, positions=sifted.rows.positions + self._read)
        self._read += sifted.read
        self._failed = [a + b for a, b in zip(self._failed, sifted.failed, strict=True)]
        if self._filter.sifting.by is not None:
            self._drop(NO_NUMBER, sifted.unordered)
        if sifted.texts is None:
            return _Taken(rows, np.arange(len(rows)))
        new = np.flatnonzero(self._seen.are_new(sifted.texts))
        self._drop(DUPLICATE, len(rows) - len(new))
        return _Taken(rows.take(new), new)

    def stay(self, taken: _Taken) -> Rows:
        """The places of those that are wanted, where that depends on no later rows."""
        choice = Choice(self._filter.wanted)
        choice.add(taken.rows)
        return taken.places[np.isin(taken.rows.positions, self._chosen(choice))]

    def all_chosen(self, aside: Sequence[SiftedFile]) -> Iterator[tuple[int, Rows]]:
        """The places of those that are wanted, chunk by chunk, wherever others of them stand."""
        if not self._filter.needs_all_rows:
            for number, file in enumerate(aside):
                yield number, self.stay(self.taken(file.sifted()))
                report_progress(CHOSEN, self._read, 0)
            return
        starts = []
        choice = Choice(self._filter.wanted)
        waiting = []  # for it to be known which are near duplicates
        for file in aside:
            starts.append(self._read)
            sifted = file.sifted()
            taken = self.taken(sifted)
            if self.near is None:
                choice.add(taken.rows)
            else:
                assert sifted.places is not None
                within = taken.rows.images if self._filter.sifting.within_image else None
                self.near.add(sifted.places, within)
                waiting.append(taken.rows)
            report_progress(CHOSEN, self._read, 0)
        if self.near is not None:
            new = self.near.are_new()
            self._drop(DUPLICATE, int((~new).sum()))
            choice.add(Standing.joined(waiting).take(new))
        positions = self._chosen(choice)
        ends = [*starts[1:], self._read]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            first, last = np.searchsorted(positions, (start, end))
            own = positions[first:last] - start
            yield number, np.searchsorted(aside[number].positions(), own)

    def counts(self) -> Counts:
        """What became of all rows."""
        return Counts(self._read, tuple(self._failed), self._dropped, self._kept)

    def _chosen(self, choice: Choice) -> Rows:
        positions = choice.finish()
        self._kept += len(positions)
        for reason, number in choice.dropped.items():
            self._drop(reason, number)
        return positions

    def _drop(self, reason: str, number: int) -> None:
        self._dropped[reason] = self._dropped.get(reason, 0) + number
