"""Vectors by name: what is known of images, or of captions beside them, read from an `.npz`."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import numpy.typing as npt

from captious.errors import InputError, short_repr
from captious.images.names import NameIndex
from captious.io.array_files import DECIMALS, NAMES, ArrayFile, Member
from captious.io.inputs import last_written

SingleArray = npt.NDArray[np.float32]
Self = TypeVar("Self", bound="NamedVectors")

FEATURES = "features"
MOST_BYTES = 1 << 33  # of a file: a million images, or as many captions, with room to spare


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
        """From vectors of any length, which are brought to length 1."""
        source = f"{cls.what} vectors" if source is None else source
        if vectors.ndim != 2 or vectors.dtype.kind != "f" or not vectors.shape[1]:
            raise InputError(
                f"{source}: vectors must be rows of decimal numbers, one for each {cls.what}"
            )
        if len(names) != len(vectors):
            raise InputError(f"{source}: {len(names)} names but {len(vectors)} vectors")
        if len(set(names)) != len(names):
            twice, _ = Counter(names).most_common(1)[0]
            raise InputError(
                f"{source}: the {cls.what} {short_repr(twice)} occurs twice; keep one vector of it"
            )
        wide = vectors.astype(np.float64)
        lengths = np.linalg.norm(wide, axis=1)
        unsound = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
        if len(unsound):
            raise InputError(
                f"{source}: the vector of {cls.what} {names[unsound[0]]!r} is nothing but zeros, "
                "or not all numbers; compute it again"
            )
        return cls(tuple(names), (wide / lengths[:, None]).astype(np.float32), source)

    @classmethod
    def read(cls: type[Self], path: str | Path) -> Self:
        """From an `.npz` with an array of names and the array `features` (a row a name)."""
        arrays = vector_file(cls.names_array).read(path)
        names = [str(name) for name in arrays[cls.names_array].tolist()]
        return cls.of(names, arrays[FEATURES], str(path))

    @classmethod
    def given(cls: type[Self], source: str | Path | Self) -> Self:
        """Vectors as they are, or those of a file, which is read once while it does not change."""
        if isinstance(source, cls):
            return source
        if not isinstance(source, str | Path):
            raise InputError(f"{cls.what} vectors are an .npz or vectors, not {short_repr(source)}")
        # Where there is no file, reading it says what is wrong, each time anew.
        return cast(Self, _read_once(cast(Hashable, cls), str(source), last_written(source)))

    def write(self, path: str | Path) -> None:
        """Into an `.npz` that `read` reads."""
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
        """The vectors of these names, in this order."""
        absent = [name for name in names if name not in self._row]
        if absent:
            others = f" (and {len(absent) - 1} more {self.what}s)" if len(absent) > 1 else ""
            raise InputError(
                f"{self.source}: no vector for {self.what} {short_repr(absent[0])}{others}"
            )
        rows = [self._row[name] for name in names]
        return type(self)(tuple(names), self.vectors[rows], self.source)


def vector_file(names_array: str) -> ArrayFile:
    """A file of vectors by name, whatever it calls the names."""
    return ArrayFile(
        f"an .npz with the arrays {names_array!r} and {FEATURES!r}",
        "compute the vectors again",
        (
            Member(names_array, NAMES, ("names",)),
            Member(FEATURES, DECIMALS, ("names", "width")),
        ),
        MOST_BYTES,
        packed=True,
    )


@lru_cache(maxsize=4)
def _read_once(kind: Any, path: str, changed: int) -> NamedVectors:
    vectors: NamedVectors = kind.read(path)
    return vectors


class ImageVectors(NamedVectors):
    """One vector an image, by the image's name."""

    what = "image"
    names_array = "files"

    def named(self, wanted: Sequence[str]) -> ImageVectors:
        """The vectors of images whose names or ids are given, under the names that were given."""
        index = NameIndex(self.names, self.source)
        rows = self.take([index.find(name) for name in wanted]).vectors
        return ImageVectors(tuple(wanted), rows, self.source)


class CaptionVectors(NamedVectors):
    """One vector a caption, by the caption's text as it was given."""

    what = "caption"
    names_array = "captions"


def read_image_vectors(path: str | Path) -> ImageVectors:
    """Read an `.npz` with the arrays `files` (names) and `features` (a row an image)."""
    return ImageVectors.read(path)
