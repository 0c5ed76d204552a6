"""Sight: an image's places in spaces of captions, and how near a caption must be, in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.images.vectors import SingleArray
from captious.io.files import written_whole
from captious.learned.image_places import SPACES, ImagePlaces
from captious.ragged import FloatArray

PLACES = [field.name for field in fields(ImagePlaces)]
WEIGHTS = ("with_references", "alone")


@dataclass(frozen=True, eq=False)
class Sight:
    """Places by the name of the space, and how cosines to them become chances.

    `with_references` weighs what the references say, then the cosine in each space, and ends with
    the bias; `alone` has the cosines' weights and the bias.
    """

    places: Mapping[str, ImagePlaces]
    with_references: FloatArray
    alone: FloatArray

    @classmethod
    def load(cls, path: str | Path) -> Sight:
        """A file that `tools/train_captious_image.py` wrote."""
        return _load(Path(path))

    def save(self, path: str | Path) -> None:
        """Write plain arrays, the maps in half precision."""
        arrays = {name: _halved(name, own) for name, own in self._arrays.items()}
        with written_whole(path) as stream:
            np.savez(stream, **dict[str, Any](arrays))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything."""
        digest = hashlib.sha256()
        for array in self._arrays.values():
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:12]

    @property
    def _arrays(self) -> dict[str, SingleArray | FloatArray]:
        return {
            **{
                f"{space}.{name}": getattr(places, name)
                for space, places in self.places.items()
                for name in PLACES
            },
            **{name: getattr(self, name) for name in WEIGHTS},
        }


def _halved(name: str, array: SingleArray | FloatArray) -> np.ndarray:
    return array.astype(np.float16) if name.endswith(".mapping") else array


@lru_cache(maxsize=4)
def _load(path: Path) -> Sight:
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            places = {
                space: ImagePlaces(
                    *(arrays[f"{space}.{name}"].astype(np.float32, copy=False) for name in PLACES)
                )
                for space in SPACES
                if f"{space}.mapping" in arrays.files
            }
            sight = Sight(places, *(arrays[name] for name in WEIGHTS))
    except Exception as error:  # whatever a damaged file makes NumPy, zip and zlib raise
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: not a file of image places ({reason})") from None
    if len(sight.alone) != len(places) + 1 or len(sight.with_references) != len(places) + 2:
        raise InputError(f"{path}: not a file of image places (weights do not fit the places)")
    return sight
