"""Sight: an image's places in spaces of captions, and how near a caption must be, in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from captious.array_files import DECIMALS, ArrayFile, Member
from captious.images.vectors import SingleArray
from captious.learned.image_places import SPACES, ImagePlaces
from captious.ragged import FloatArray

PLACES = [field.name for field in fields(ImagePlaces)]
WEIGHTS = ("with_references", "alone")
FILE = ArrayFile("a file of image places", "make it again with tools/train_captious_image.py")


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
        FILE.write(path, arrays)

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
    with FILE.opened(path) as file:
        spaces = [space for space in SPACES if f"{space}.mapping" in file.names]
        if not spaces:
            raise file.unsound(f"no places in any of: {', '.join(SPACES)}")
        found = file.read(*(each for space in spaces for each in _members(space)))
        weights = file.read(
            Member(WEIGHTS[0], DECIMALS, (len(spaces) + 2,)),
            Member(WEIGHTS[1], DECIMALS, (len(spaces) + 1,)),
        )
    single = {name: array.astype(np.float32, copy=False) for name, array in found.items()}
    places = {
        space: ImagePlaces(*(single[f"{space}.{name}"] for name in PLACES)) for space in spaces
    }
    return Sight(places, *weights.values())


def _members(space: str) -> tuple[Member, ...]:
    """The arrays of the places in a space, in the order of `PLACES`."""
    dims = (("image", space), ("image",), (space,))
    return tuple(
        Member(f"{space}.{name}", DECIMALS, own) for name, own in zip(PLACES, dims, strict=True)
    )
