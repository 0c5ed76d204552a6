"""Captions that duplicate an earlier one that is kept: by their text, or by their vectors.

Texts are compared without case, punctuation and spaces. Vectors are rounded to whole numbers, with
which sums of products are exact in any order: the same captions go whatever the chunks, the threads
and the machine. Every caption is compared with all that stay before it, most of them by short
vectors whose products are never below the cosine: those that reach it are compared exactly.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO

import numpy as np
import numpy.typing as npt

from captious.samples import unique_rows
from captious.streaming.filtering.selection import Numbers64, hashes_of
from captious.streaming.filtering.values import Flags
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors

RoundedVectors = npt.NDArray[np.int16]
Rows = npt.NDArray[np.int64]
Float32Array = npt.NDArray[np.float32]
Pairs = tuple[Rows, Rows]

VECTOR_SCALE = (
    4000  # of rounded vectors: products of two stay below 2 ** 24, up to which float32 counts
)
PROJECTED_DIMENSIONS = 64  # numbers of a short vector, beside the length of the rest
MARGIN = 1e-4  # more than float32 can miss of a product of short vectors
MIN_CAPTIONS_FOR_AXES = 16_384  # captions, or up to twice as many, that principal axes are those of
NEW_PER_BLOCK, KEPT_PER_BLOCK = (
    1024,
    8192,
)  # captions that are compared at once: new ones, and those that stay
PAIRS_PER_BLOCK = 1 << 15  # compared exactly at once
_PERSON = b"captious same"


def normalize_caption(caption: str) -> str:
    """A caption without what never matters: case, forms of letters, punctuation, spaces."""
    text = unicodedata.normalize("NFKC", caption).casefold()
    if not text.isascii() or not text.replace(" ", "").isalnum():
        # Marks belong to letters: in Hindi the vowels are marks.
        text = "".join(
            letter if letter.isalnum() or unicodedata.category(letter)[0] == "M" else " "
            for letter in text
        )
    return " ".join(text.split()) or caption.strip()


def text_hashes(captions: Sequence[str], images: Sequence[str] | None) -> Numbers64:
    """What stands for each caption's plain text, or for it and its image."""
    texts = [normalize_caption(caption) for caption in captions]
    if images is not None:
        texts = [f"{len(image)} {image} {text}" for image, text in zip(images, texts, strict=True)]
    return hashes_of([text.encode("utf-8", "surrogatepass") for text in texts], _PERSON)


@dataclass
class SeenCaptions:
    """The hashes of all captions so far: some 120 bytes for each that is different."""

    hashes: set[bytes] = field(default_factory=set)

    def are_new(self, hashes: Numbers64) -> Flags:
        """Whether each is met for the first time, and from now on not any more."""
        new = np.zeros(len(hashes), np.bool_)
        for row, each in enumerate(hashes):
            key = each.tobytes()
            if key not in self.hashes:
                self.hashes.add(key)
                new[row] = True
        return new


def rounded_vectors(captions: Sequence[str], space: CaptionSpace, tokenizer: str) -> RoundedVectors:
    """Where captions lie in the space, in whole numbers; one without a known word at 0."""
    unique, rows = unique_rows(captions)
    vectors = caption_vectors(Analysis(unique, tokenizer), space, np.arange(len(unique)))
    rounded: RoundedVectors = np.round(vectors * VECTOR_SCALE).astype(np.int16)
    return rounded[rows]


@dataclass
class NearDuplicates:
    """Captions' vectors, put aside on the disk until all are there: 768 bytes each."""

    cosine: float
    stream: IO[bytes]  # a temporary file
    images: list[Numbers64] = field(default_factory=list)
    width: int = 0

    def add(self, places: RoundedVectors, images: Numbers64 | None) -> None:
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


def new_within_images(places: RoundedVectors, images: Numbers64, cosine: float) -> Flags:
    """The same where captions of different images are never compared."""
    order = np.lexsort((np.arange(len(images)), images[:, 1], images[:, 0]))
    changes = np.flatnonzero((images[order][1:] != images[order][:-1]).any(axis=1)) + 1
    new = np.ones(len(places), np.bool_)
    for rows in np.split(order, changes):
        if len(rows) > 1:
            new[rows] = new_among(places, rows, cosine, _directions)
    return new


def new_among_all(places: RoundedVectors, cosine: float) -> Flags:
    """The same for captions of all images."""
    return new_among(places, np.arange(len(places)), cosine, _Projection.of(places))


def new_among(
    places: RoundedVectors,
    rows: Rows,
    cosine: float,
    shorten: Callable[[RoundedVectors], Float32Array],
) -> Flags:
    """Whether each of some captions, in this order, is near none before it that stays.

    `shorten` makes vectors whose products are never below the cosines.
    """
    new = np.ones(len(rows), np.bool_)
    staying: Float32Array | None = None
    stay = np.empty(len(rows), np.int64)
    count = 0

    def near(
        some: Rows, mine: Float32Array, others: Rows, theirs: Float32Array, *, earlier: bool
    ) -> Pairs:
        """The places of near ones; with `earlier`, a caption and those before it alone."""
        may_be = mine @ theirs.T >= np.float32(cosine - MARGIN)
        one, other = np.divmod(np.flatnonzero(may_be), len(others))
        if earlier:
            one, other = one[other < one], other[other < one]
        are = np.concatenate(
            [
                _are_near(places, some[one[start:end]], others[other[start:end]], cosine)
                for start, end in _ranges(len(one), PAIRS_PER_BLOCK)
            ]
            or [np.zeros(0, np.bool_)]
        )
        return one[are], other[are]

    for start, end in _ranges(len(rows), NEW_PER_BLOCK):
        block = rows[start:end]
        mine = shorten(places[block])
        if staying is None:
            staying = np.empty((len(rows), mine.shape[1]), np.float32)
        for first, last in _ranges(count, KEPT_PER_BLOCK):
            some = np.flatnonzero(new[start:end])
            one, _ = near(
                block[some], mine[some], stay[first:last], staying[first:last], earlier=False
            )
            new[start + some[one]] = False
        left = np.flatnonzero(new[start:end])
        one, other = near(block[left], mine[left], block[left], mine[left], earlier=True)
        for later, before in zip(start + left[one], start + left[other], strict=True):
            new[later] &= not new[before]  # in the order of the later ones: what stays is known
        left = np.flatnonzero(new[start:end])
        stay[count : count + len(left)] = block[left]
        staying[count : count + len(left)] = mine[left]
        count += len(left)
    return new


def _ranges(count: int, size: int) -> list[tuple[int, int]]:
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def _are_near(places: RoundedVectors, rows: Rows, others: Rows, cosine: float) -> Flags:
    """Whether pairs of captions reach the cosine; one without a known word is near none."""
    one, other = (places[each].astype(np.float32) for each in (rows, others))
    products, *squares = (
        np.einsum("ij,ij->i", *pair).astype(np.float64)
        for pair in ((one, other), (one, one), (other, other))
    )
    lengths = np.sqrt(squares[0]) * np.sqrt(squares[1])
    near: Flags = (products >= cosine * lengths) & (lengths > 0)
    return near


def _directions(places: RoundedVectors) -> Float32Array:
    """Vectors at length one, or 0."""
    vectors = places.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    directions: Float32Array = vectors / np.maximum(lengths, 1)[:, None]
    return directions


@dataclass(frozen=True)
class _Projection:
    """Directions turned so that their first numbers tell most; of the others only their length.

    The product of two such lengths is never below that of what they are the lengths of.
    """

    turned: Float32Array

    @classmethod
    def of(cls, places: RoundedVectors) -> _Projection:
        """By these captions' principal axes; any others would be as right, but slower."""
        some = _directions(places[:: max(1, len(places) // MIN_CAPTIONS_FOR_AXES)]).astype(
            np.float64
        )
        _, axes = np.linalg.eigh(some.T @ some)
        return cls(np.ascontiguousarray(axes[:, ::-1]).astype(np.float32))

    def __call__(self, places: RoundedVectors) -> Float32Array:
        turned = _directions(places) @ self.turned
        rest = np.sqrt(
            np.einsum(
                "ij,ij->i", turned[:, PROJECTED_DIMENSIONS:], turned[:, PROJECTED_DIMENSIONS:]
            )
        )
        return np.concatenate((turned[:, :PROJECTED_DIMENSIONS], rest[:, None]), axis=1)
