"""Captions whose vectors lie as near to an earlier one's that stays as a cosine says.

Vectors are rounded to whole numbers, with which sums of products are exact in any order: the same
captions go whatever the chunks, the threads and the machine. Up to EXACT captions all are compared.
Beyond, only captions that may be near are: in one of many ways of cutting the space by chance
planes, they lie on the same side of all planes. Captions exactly as near as the cosine meet so with
a probability of MET at least, nearer ones sooner; those that meet are compared exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

import numpy as np
import numpy.typing as npt

from captious.engine.filtering.selection import Numbers64
from captious.engine.filtering.values import Flags
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors

Places = npt.NDArray[np.int16]
Rows = npt.NDArray[np.int64]

LENGTH = 4000  # of rounded vectors: products of two stay below 2 ** 24, up to which float32 counts
EXACT = 16_384  # captions of which all pairs are compared
MET = 0.999
MOST_CUTS = 128  # ways of cutting: more would take more memory than the vectors
BLOCK = 1024  # captions that are looked at together, all pairs of them
SEED = 0  # of the planes
PAIRS = 1 << 18  # compared at once
MORE_BITS = 6  # of planes in one cut, than would give each caption a cell: most lie in few cells


def places_of(captions: Sequence[str], space: CaptionSpace, tokenizer: str) -> Places:
    """Where captions lie in the space, in whole numbers; one without a known word at 0."""
    unique, rows = unique_rows(captions)
    vectors = caption_vectors(Analysis(unique, tokenizer), space, np.arange(len(unique)))
    rounded: Places = np.round(vectors * LENGTH).astype(np.int16)
    return rounded[rows]


@dataclass
class NearDuplicates:
    """Captions' vectors, put aside on the disk until all are there: 768 bytes each."""

    cosine: float
    stream: IO[bytes]  # a temporary file
    images: list[Numbers64] = field(default_factory=list)
    width: int = 0

    def add(self, places: Places, images: Numbers64 | None) -> None:
        """Captions that come after all others; with `images`, those of one are compared."""
        self.width = places.shape[1]
        self.stream.write(np.ascontiguousarray(places).tobytes())
        if images is not None:
            self.images.append(images)

    def are_new(self) -> Flags:
        """Whether each caption is near none before it that stays."""
        size = self.stream.tell()
        self.stream.flush()
        if not size:
            return np.ones(0, np.bool_)
        shape = (size // (2 * self.width), self.width)
        places = np.memmap(self.stream, np.int16, "r", shape=shape)
        if self.images:
            return new_within_images(places, np.concatenate(self.images), self.cosine)
        return new_among_all(places, self.cosine)


def new_within_images(places: Places, images: Numbers64, cosine: float) -> Flags:
    """The same where captions of different images are never compared."""
    order = np.lexsort((np.arange(len(images)), images[:, 1], images[:, 0]))
    changes = np.flatnonzero((images[order][1:] != images[order][:-1]).any(axis=1)) + 1
    new = np.ones(len(places), np.bool_)
    for rows in np.split(order, changes):
        if len(rows) > 1:
            _drop_later(places, rows, new, cosine)
    return new


def new_among_all(places: Places, cosine: float) -> Flags:
    """The same for captions of all images."""
    new = np.ones(len(places), np.bool_)
    if len(places) <= EXACT:
        _drop_later(places, np.arange(len(places)), new, cosine)
        return new
    cuts = _Cuts(places, cosine)
    for start in range(0, len(places), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(places)))
        for some, others in cuts.met(rows):
            near = _are_near(places, some, others, cosine)
            new[some[near]] = False
        left = rows[new[rows]]
        _drop_later(places, left, new, cosine)
        cuts.keep(left[new[left]])
    return new


def _drop_later(places: Places, rows: Rows, new: Flags, cosine: float) -> None:
    """Of some captions in order, drop those that are near one before them that stays."""
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        before = rows[:start][new[rows[:start]]]
        for first in range(0, len(before), BLOCK):
            nears = _near_matrix(places, block, before[first : first + BLOCK], cosine)
            new[block[nears.any(axis=1)]] = False
        nears = np.tril(_near_matrix(places, block, block, cosine), -1)
        for place in np.flatnonzero(nears.any(axis=1)).tolist():
            if new[block[place]] and new[block[nears[place]]].any():
                new[block[place]] = False


def _near_matrix(places: Places, rows: Rows, others: Rows, cosine: float) -> Flags:
    one, other = (places[each].astype(np.float32) for each in (rows, others))
    products = (one @ other.T).astype(np.float64)
    lengths = [
        np.sqrt(np.einsum("ij,ij->i", each, each).astype(np.float64)) for each in (one, other)
    ]
    return _reach(products, lengths[0][:, None] * lengths[1], cosine)


def _are_near(places: Places, rows: Rows, others: Rows, cosine: float) -> Flags:
    one, other = (places[each].astype(np.float32) for each in (rows, others))
    products, *squares = (
        np.einsum("ij,ij->i", *pair).astype(np.float64)
        for pair in ((one, other), (one, one), (other, other))
    )
    return _reach(products, np.sqrt(squares[0]) * np.sqrt(squares[1]), cosine)


def _reach(
    products: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64], cosine: float
) -> Flags:
    """Whether cosines reach the one; a caption without a known word is near none."""
    return (products >= cosine * lengths) & (lengths > 0)


class _Cuts:
    """Several ways of cutting the space, each with the captions that stay in each of its cells.

    Up to 24 bytes for each caption and each cut.
    """

    def __init__(self, places: Places, cosine: float) -> None:
        bits = _bits(len(places), cosine)
        self.number = cuts_for(cosine, bits)
        width, chance = places.shape[1], np.random.default_rng(SEED)
        self._cells = np.empty((self.number, len(places)), np.int32)
        self._starts, self._counts = [], []
        weights = (1 << np.arange(bits)).astype(np.int64)
        for cut in range(self.number):
            planes = chance.choice(np.array([-1, 1], np.float32), (width, bits))
            keys = np.empty(len(places), np.int64)
            for start in range(0, len(places), 1 << 16):
                some = places[start : start + (1 << 16)].astype(np.float32)
                keys[start : start + (1 << 16)] = (some @ planes >= 0) @ weights
            _, cells, sizes = np.unique(keys, return_inverse=True, return_counts=True)
            self._cells[cut] = cells
            self._starts.append(np.cumsum(sizes) - sizes)
            self._counts.append(np.zeros(len(sizes), np.int64))
        self._slots = np.empty((self.number, len(places)), np.int32)

    def met(self, rows: Rows) -> Iterator[tuple[Rows, Rows]]:
        """Pairs of these captions and of ones kept before that lie in one cell of some cut."""
        pairs = []
        for cut in range(self.number):
            cells = self._cells[cut, rows]
            counts = self._counts[cut][cells]
            owners = np.repeat(np.arange(len(rows)), counts)
            within = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
            others = self._slots[cut, self._starts[cut][cells][owners] + within]
            pairs.append(np.unique(owners.astype(np.int64) * self._slots.shape[1] + others))
        every = np.unique(np.concatenate(pairs))
        for start in range(0, len(every), PAIRS):
            owners, others = np.divmod(every[start : start + PAIRS], self._slots.shape[1])
            yield rows[owners], others

    def keep(self, rows: Rows) -> None:
        """Captions that stay, put into their cells."""
        for cut in range(self.number):
            cells = self._cells[cut, rows]
            order = np.argsort(cells, kind="stable")
            sorted_cells = cells[order]
            firsts = np.searchsorted(sorted_cells, sorted_cells)
            slots = self._starts[cut][sorted_cells] + self._counts[cut][sorted_cells]
            self._slots[cut, slots + np.arange(len(rows)) - firsts] = rows[order]
            np.add.at(self._counts[cut], cells, 1)


def _bits(captions: int, cosine: float) -> int:
    """How many planes one cut has: fewer where too many cuts would be needed."""
    bits = int(math.log2(captions)) + MORE_BITS
    while cuts_for(cosine, bits) > MOST_CUTS:
        bits -= 1
    return bits


def cuts_for(cosine: float, bits: int) -> int:
    """In how many ways the space must be cut for captions so near to meet."""
    alike = 1 - math.acos(min(cosine, 1.0)) / math.pi  # on one side of a plane
    meet = alike**bits
    return 1 if meet == 1 else math.ceil(math.log(1 - MET) / math.log1p(-meet))
