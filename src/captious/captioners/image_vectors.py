"""Image vectors by name: what a captioner sees of an image, read from an `.npz`."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io.files import read_bytes

SingleArray = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ImageVectors:
    """One row of `vectors` for each name; all of unit length."""

    names: tuple[str, ...]
    vectors: SingleArray
    source: str = "image vectors"

    @classmethod
    def of(
        cls, names: Sequence[str], vectors: npt.NDArray[Any], source: str = "image vectors"
    ) -> ImageVectors:
        """From vectors of any length, which are brought to length 1."""
        if vectors.ndim != 2 or vectors.dtype.kind != "f" or not vectors.shape[1]:
            raise InputError(f"{source}: vectors must be rows of decimal numbers, one an image")
        if len(names) != len(vectors):
            raise InputError(f"{source}: {len(names)} names but {len(vectors)} vectors")
        if len(set(names)) != len(names):
            raise InputError(f"{source}: an image occurs twice")
        wide = vectors.astype(np.float64)
        lengths = np.linalg.norm(wide, axis=1)
        unsound = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
        if len(unsound):
            raise InputError(
                f"{source}: the vector of image {names[unsound[0]]!r} is nothing but zeros, or "
                "not all numbers; compute it again"
            )
        return cls(tuple(names), (wide / lengths[:, None]).astype(np.float32), source)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.vectors.shape[1])

    @cached_property
    def _row(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}

    def take(self, names: Sequence[str]) -> ImageVectors:
        """The vectors of these images, in this order."""
        absent = [name for name in names if name not in self._row]
        if absent:
            others = f" (and {len(absent) - 1} more images)" if len(absent) > 1 else ""
            raise InputError(f"{self.source}: no vector for image {absent[0]!r}{others}")
        rows = [self._row[name] for name in names]
        return ImageVectors(tuple(names), self.vectors[rows], self.source)


def read_image_vectors(path: str | Path) -> ImageVectors:
    """Read an `.npz` with the arrays `files` (names) and `features` (a row an image)."""
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
            names, vectors = np.atleast_1d(arrays["files"]), arrays["features"]
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path}: not an .npz with the arrays 'files' and 'features' ({error})"
        ) from None
    return ImageVectors.of([str(name) for name in names.tolist()], vectors, str(path))
