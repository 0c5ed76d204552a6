"""Which rows stay once all are known: the best of each image, the best of all, a sample.

Each of these is a function of what is left standing, and of ties the earlier row wins, so that the
outcome is the same however the rows were cut into chunks. What any of them drops from some of the
rows, it drops from all of them too: so the first of them is applied again and again while rows
come, and no more is remembered than it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from captious.streaming.filtering.counts import NOT_BEST_OF_IMAGE, NOT_SAMPLED, NOT_TOP
from captious.streaming.filtering.values import Flags, Floats

Numbers64 = npt.NDArray[np.uint64]
HASH_BYTES = 16
DRAWS = 2.0**64  # equally likely numbers that a row can draw
MIN_ROWS_TO_PRUNE = 1 << 16  # rows that are gathered before it is looked for those that stay


def hashes_of(texts: Sequence[bytes], person: bytes, seed: int = 0) -> Numbers64:
    """Two numbers of 64 bits a text; `person` keeps hashes for different ends apart."""
    salt = seed.to_bytes(8, "little")
    joined = b"".join(
        blake2b(text, digest_size=HASH_BYTES, person=person, salt=salt).digest() for text in texts
    )
    return np.frombuffer(joined, "<u8").astype(np.uint64).reshape(-1, 2)


@dataclass(frozen=True)
class RemainingRows:
    """Rows that are still standing, in columns: 40 bytes a row.

    `positions` are their numbers in the whole input, `keys` the numbers by which some are better,
    `images` the hashes of their images' ids and `draws` the numbers by which they are sampled.
    """

    positions: npt.NDArray[np.int64]
    keys: Floats
    images: Numbers64
    draws: Numbers64

    @classmethod
    def none(cls) -> RemainingRows:
        """No rows at all."""
        empty = np.zeros(0, np.uint64)
        return cls(np.zeros(0, np.int64), np.zeros(0), empty.reshape(0, 2), empty)

    def __len__(self) -> int:
        return len(self.positions)

    def __add__(self, other: RemainingRows) -> RemainingRows:
        return RemainingRows.joined((self, other))

    @classmethod
    def joined(cls, several: Sequence[RemainingRows]) -> RemainingRows:
        """Rows that follow each other."""
        every = (cls.none(), *several)
        names = (each.name for each in fields(cls))
        return cls(*(np.concatenate([getattr(each, name) for each in every]) for name in names))

    def take(self, rows: Flags | npt.NDArray[np.int64]) -> RemainingRows:
        """Some of the rows."""
        return RemainingRows(*(getattr(self, each.name)[rows] for each in fields(self)))


def best_of_images(rows: RemainingRows, count: int) -> Flags:
    """Whether each row is one of the best of its image."""
    order = np.lexsort((rows.positions, -rows.keys, rows.images[:, 1], rows.images[:, 0]))
    images = rows.images[order]
    starts = np.ones(len(rows), np.bool_)
    starts[1:] = (images[1:] != images[:-1]).any(axis=1)
    first = np.maximum.accumulate(np.where(starts, np.arange(len(rows)), 0))
    best = np.empty(len(rows), np.bool_)
    best[order] = np.arange(len(rows)) - first < count
    return best


def best_of_all(rows: RemainingRows, count: int) -> Flags:
    """Whether each row is one of the best of all."""
    return _among(np.lexsort((rows.positions, -rows.keys)), count)


def sampled(rows: RemainingRows, sample: Sample) -> Flags:
    """Whether each row is in the sample."""
    if sample.share is not None:
        return rows.draws < np.float64(sample.share * DRAWS) if sample.share < 1 else _all(rows)
    return _among(np.lexsort((rows.positions, rows.draws)), sample.count)


def _all(rows: RemainingRows) -> Flags:
    return np.ones(len(rows), np.bool_)


def _among(order: npt.NDArray[np.int64], count: int) -> Flags:
    """Whether each row is one of the first so many in an order."""
    chosen = np.zeros(len(order), np.bool_)
    chosen[order[:count]] = True
    return chosen


@dataclass(frozen=True)
class Sample:
    """A share of the rows, or a number of them."""

    share: float | None = None
    count: int = 0


@dataclass(frozen=True)
class SelectionRules:
    """What is to stay, beyond what an expression says; the order is the one of the fields."""

    per_image: int | None = None
    top: int | None = None
    sample: Sample | None = None

    def steps(self) -> list[tuple[str, Callable[[RemainingRows], Flags]]]:
        """What is done one after another, each with the reason that it drops rows for."""
        per_image, top, sample = self.per_image, self.top, self.sample
        steps: list[tuple[str, Callable[[RemainingRows], Flags]]] = []
        if per_image is not None:
            steps.append((NOT_BEST_OF_IMAGE, lambda rows: best_of_images(rows, per_image)))
        if top is not None:
            steps.append((NOT_TOP, lambda rows: best_of_all(rows, top)))
        if sample is not None:
            steps.append((NOT_SAMPLED, lambda rows: sampled(rows, sample)))
        return steps

    @property
    def needs_keys(self) -> bool:
        """Whether some rows are better than others."""
        return self.per_image is not None or self.top is not None

    @property
    def needs_all_rows(self) -> bool:
        """Whether what becomes of a row depends on others."""
        return self.needs_keys or (self.sample is not None and self.sample.share is None)


@dataclass
class RowSelector:
    """Rows taken one chunk after another, of which those stay that are wanted."""

    wanted: SelectionRules
    standing: RemainingRows = field(default_factory=RemainingRows.none)
    dropped: dict[str, int] = field(default_factory=dict)
    _left: int = 0  # rows that the first step left when it was last done

    def add(self, rows: RemainingRows) -> None:
        """Rows that come after all others."""
        self.standing = self.standing + rows
        if len(self.standing) > max(MIN_ROWS_TO_PRUNE, 2 * self._left):
            self._do(self.wanted.steps()[:1])
            self._left = len(self.standing)

    def finish(self) -> npt.NDArray[np.int64]:
        """The positions of those that stay, in order."""
        self._do(self.wanted.steps())
        return np.sort(self.standing.positions)

    def _do(self, steps: list[tuple[str, Callable[[RemainingRows], Flags]]]) -> None:
        for reason, chosen in steps:
            left = self.standing.take(chosen(self.standing))
            gone = len(self.standing) - len(left)
            self.dropped[reason] = self.dropped.get(reason, 0) + gone
            self.standing = left
