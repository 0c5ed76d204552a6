"""Vectors of images or captions by name, in `.npz` files; their scaling and nearest neighbours."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError, short_repr
from captious.io.array_files import DECIMALS, NAMES, ArrayFile, Member
from captious.io.inputs import modification_time

SingleArray = npt.NDArray[np.float32]
Self = TypeVar("Self", bound="NamedVectors")

FEATURES = "features"
MAX_FILE_BYTES = 1 << 33  # a million images, or as many captions, with room to spare
IMAGE_EXTENSIONS = (
    ".jpg",
    ".jpeg",
    ".png",
    ".webp",
    ".gif",
    ".bmp",
    ".tif",
    ".tiff",
    ".ppm",
    ".avif",
)
MIN_DEVIATION = float(np.finfo(np.float16).smallest_subnormal)  # smaller deviations count as none
BLOCK_IMAGES = 512  # compared at a time; bounds memory
_COCO = re.compile(r"(?:COCO_\w+?_)?(\d{12})", re.ASCII)  # COCO pads an image's number to 12 digits


class NameIndex:
    """Names of image files, found by the name, by the name without its ending, or by COCO's number.

    >>> NameIndex(["COCO_val2014_000000000042.jpg", "dog.png"]).find("42")
    'COCO_val2014_000000000042.jpg'
    """

    def __init__(self, names: Iterable[str], source: str = "images") -> None:
        self.source = source
        self._exact: set[str] = set()
        self._others: dict[str, list[str]] = {}  # shorter forms of a name
        for name in names:
            self._exact.add(name)
            for form in _short_forms(name):
                self._others.setdefault(form, []).append(name)

    def find(self, wanted: str) -> str:
        """Return the file name that a name or id refers to, or raise."""
        if wanted in self._exact:
            return wanted
        for form in (wanted, *_short_forms(wanted)):
            names = self._others.get(form, [])
            if len(names) == 1:
                return names[0]
            if names:
                raise InputError(
                    f"{self.source}: image {wanted!r} may be {names[0]!r} or {names[1]!r}; "
                    "keep one of them, or name the file in the column 'image'"
                )
        raise InputError(
            f"{self.source}: no image {wanted!r}; files are found by a sample's image or id, "
            "with or without an ending such as .jpg"
        )


def _short_forms(name: str) -> list[str]:
    """Return shorter forms of a file name: without folder, extension, or COCO's padding."""
    bare = re.split(r"[/\\]", name)[-1]
    stem = next((bare[: -len(end)] for end in IMAGE_EXTENSIONS if bare.lower().endswith(end)), bare)
    number = _COCO.fullmatch(stem)
    forms = [bare, stem, *([str(int(number[1]))] if number else [])]
    return list(dict.fromkeys(forms))


@dataclass(frozen=True, eq=False)
class NamedVectors:
    """One row of `vectors` for each name; all of unit length."""

    names: tuple[str, ...]
    vectors: SingleArray
    source: str = "vectors"

    what: ClassVar[str] = "vector"  # whose the vectors are, as errors call it
    names_array: ClassVar[str] = "names"  # as a file calls it

    @classmethod
    def of(
        cls: type[Self], names: Sequence[str], vectors: npt.NDArray[Any], source: str | None = None
    ) -> Self:
        """Create from vectors of any length, which are scaled to length 1."""
        source = f"{cls.what} vectors" if source is None else source
        if vectors.ndim != 2 or vectors.dtype.kind != "f" or not vectors.shape[1]:
            raise InputError(
                f"{source}: vectors must be rows of decimal numbers, one for each {cls.what}"
            )
        if len(names) != len(vectors):
            raise InputError(f"{source}: {len(names)} names but {len(vectors)} vectors")
        if len(set(names)) != len(names):
            duplicate, _ = Counter(names).most_common(1)[0]
            raise InputError(
                f"{source}: the {cls.what} {short_repr(duplicate)} occurs twice; "
                "keep one vector of it"
            )
        wide = vectors.astype(np.float64)
        lengths = np.linalg.norm(wide, axis=1)
        invalid = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
        if len(invalid):
            raise InputError(
                f"{source}: the vector of {cls.what} {names[invalid[0]]!r} is nothing but zeros, "
                "or not all numbers; compute it again"
            )
        return cls(tuple(names), (wide / lengths[:, None]).astype(np.float32), source)

    @classmethod
    def read(cls: type[Self], path: str | Path) -> Self:
        """Read an `.npz` with an array of names and the array `features` (a row per name)."""
        arrays = vector_file(cls.names_array).read(path)
        names = [str(name) for name in arrays[cls.names_array].tolist()]
        return cls.of(names, arrays[FEATURES], str(path))

    @classmethod
    def load(cls: type[Self], source: str | Path | Self) -> Self:
        """Return vectors as they are, or those of a file, read once while it does not change."""
        if isinstance(source, cls):
            return source
        if not isinstance(source, str | Path):
            raise InputError(f"{cls.what} vectors are an .npz or vectors, not {short_repr(source)}")
        # Where there is no file, reading it says what is wrong, each time anew.
        return cast(Self, _read_cached(cast(Hashable, cls), str(source), modification_time(source)))

    def write(self, path: str | Path) -> None:
        """Write an `.npz` that `read` reads."""
        names = np.array(self.names, dtype=np.str_)
        vector_file(self.names_array).write(path, {self.names_array: names, FEATURES: self.vectors})

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.vectors.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of names and vectors, for signatures."""
        digest = hashlib.sha256("\0".join(self.names).encode("utf-8", "surrogatepass"))
        digest.update(self.vectors.astype("<f4").tobytes())
        return digest.hexdigest()[:12]

    @cached_property
    def _row(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}

    def take(self: Self, names: Sequence[str]) -> Self:
        """Return the vectors of these names, in this order."""
        absent = [name for name in names if name not in self._row]
        if absent:
            others = f" (and {len(absent) - 1} more {self.what}s)" if len(absent) > 1 else ""
            raise InputError(
                f"{self.source}: no vector for {self.what} {short_repr(absent[0])}{others}"
            )
        rows = [self._row[name] for name in names]
        return type(self)(tuple(names), self.vectors[rows], self.source)


def vector_file(names_array: str) -> ArrayFile:
    """Return the layout of a file of vectors, whose names are in the array of this name."""
    return ArrayFile(
        f"an .npz with the arrays {names_array!r} and {FEATURES!r}",
        "compute the vectors again",
        (
            Member(names_array, NAMES, ("names",)),
            Member(FEATURES, DECIMALS, ("names", "width")),
        ),
        MAX_FILE_BYTES,
        compressed=True,
    )


@lru_cache(maxsize=4)
def _read_cached(kind: Any, path: str, changed: int) -> NamedVectors:
    vectors: NamedVectors = kind.read(path)
    return vectors


class ImageVectors(NamedVectors):
    """One vector per image, by the image's name."""

    what = "image"
    names_array = "files"

    def select(self, wanted: Sequence[str]) -> ImageVectors:
        """Return the vectors of images by name or id, under the names as given."""
        index = NameIndex(self.names, self.source)
        rows = self.take([index.find(name) for name in wanted]).vectors
        return ImageVectors(tuple(wanted), rows, self.source)


class CaptionVectors(NamedVectors):
    """One vector per caption, by the caption's text as it was given."""

    what = "caption"
    names_array = "captions"


def read_image_vectors(path: str | Path) -> ImageVectors:
    """Read an `.npz` with the arrays `files` (names) and `features` (a row per image)."""
    return ImageVectors.read(path)


@dataclass(frozen=True, eq=False)
class ImageScaling:
    """Mean and deviation of each number over the training images.

    An encoder's numbers are none of them negative, and so the vectors of any two images point much
    the same way. Without their mean it is the differences between images that a network sees.
    """

    mean: SingleArray
    deviation: SingleArray

    @classmethod
    def of(cls, training: ImageVectors) -> ImageScaling:
        """Fit to the training images."""
        wide = training.vectors.astype(np.float64)
        deviation = wide.std(axis=0)
        deviation[deviation < MIN_DEVIATION] = 1  # a number that never varies becomes 0
        return cls(wide.mean(axis=0).astype(np.float32), deviation.astype(np.float32))

    @classmethod
    def none(cls, width: int) -> ImageScaling:
        """Return a scaling that changes nothing but length."""
        return cls(np.zeros(width, np.float32), np.ones(width, np.float32))

    def apply(self, images: ImageVectors) -> ImageVectors:
        """Return standardized vectors of unit length (or zero, for the mean of all images)."""
        return ImageVectors(images.names, self._standardise(images.vectors), images.source)

    def inputs(self, vectors: SingleArray) -> SingleArray:
        """Return standardized vectors with a mean square of 1, for a network's first layer."""
        scaled = self._standardise(vectors)
        inputs: SingleArray = (scaled * np.sqrt(scaled.shape[1])).astype(np.float32)
        return inputs

    def _standardise(self, vectors: SingleArray) -> SingleArray:
        scaled: SingleArray = (vectors - self.mean) / self.deviation
        lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
        scaled /= np.where(lengths > 0, lengths, 1)
        return scaled


def nearest_images(features: FloatArray | None) -> IntArray:
    """Return, for each image, all others by descending cosine similarity of their features."""
    if features is None:
        raise InputError(
            "captions of other images need image features: put efficientnet_lite2.npz into the "
            "folder of data, or give `features`"
        )
    if len(features) < 2:
        raise InputError("captions of other images need two images or more")
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    unit = features / np.where(lengths > 0, lengths, 1)
    parts: list[IntArray] = []
    for start in range(0, len(unit), BLOCK_IMAGES):
        similarity = unit[start : start + BLOCK_IMAGES] @ unit.T
        rows = np.arange(len(similarity))
        similarity[rows, rows + start] = -np.inf  # sorts last, and is cut off
        order = np.argsort(-similarity, axis=1, kind="stable")[:, :-1]
        parts.append(order.astype(np.int32))
    return np.concatenate(parts)
