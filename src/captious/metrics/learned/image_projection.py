"""Linear projection of image vectors into a space of captions.

A linear map from image vectors into a space where captions have vectors, fitted so that an image
lands on the centroid of its captions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.arrays.row_products import PackedMatrix
from captious.errors import InputError
from captious.images.vectors import SingleArray
from captious.io.array_files import DECIMALS, ArrayFile, Member
from captious.text.analysis import Analysis
from captious.text.encoder.encoded_captions import sentence_vectors_or_zeros
from captious.text.encoder.encoder import load_encoder
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    Vectors,
    caption_vectors,
    normalize,
)

WORDS, ENCODER = SPACES = ("words", "encoder")  # sums of words' vectors, or an encoder's


def caption_vectors_in(space: str, analysis: Analysis) -> Vectors:
    """The vector of each caption of an analysis in a space; zeros for those without words."""
    if space == ENCODER:
        return sentence_vectors_or_zeros(analysis, load_encoder())
    return caption_vectors(analysis, CaptionSpace.load(), np.arange(len(analysis.captions)))


@dataclass(frozen=True, eq=False)
class ImageProjection:
    """The map into one space, and what images and captions have in common there."""

    mapping: SingleArray
    usual_image: SingleArray
    usual_caption: SingleArray

    @cached_property
    def _packed_mapping(self) -> PackedMatrix:
        return PackedMatrix(self.mapping)

    def of_images(self, vectors: SingleArray) -> Vectors:
        """The place of each image among captions, from its vector."""
        if vectors.shape[1] != len(self.usual_image):
            raise InputError(
                f"image vectors of {vectors.shape[1]} numbers, but places were learned from "
                f"{len(self.usual_image)} (EfficientNet-Lite2)"
            )
        centred = (vectors - self.usual_image).astype(np.float32)
        return normalize(self._packed_mapping.multiply(centred))

    def of_captions(self, vectors: Vectors) -> Vectors:
        """Captions' vectors without what all captions have in common; zeros stay zeros."""
        if vectors.shape[1] != len(self.usual_caption):
            raise InputError(
                f"caption vectors of {vectors.shape[1]} numbers, but places were learned among "
                f"those of {len(self.usual_caption)}"
            )
        is_placed = (vectors != 0).any(axis=1, keepdims=True)
        return normalize(np.where(is_placed, vectors - self.usual_caption, np.float32(0)))


PROJECTION_ARRAYS = [field.name for field in fields(ImageProjection)]
WEIGHT_ARRAYS = ("with_references", "alone")
FILE = ArrayFile("a file of image places", "make it again with tools/train_captious_image.py")


@dataclass(frozen=True, eq=False)
class ImageModel:
    """Places by the name of the space, and how cosines to them become chances.

    `with_references` weighs what the references say, then the cosine in each space, and ends with
    the bias; `alone` has the cosines' weights and the bias.
    """

    places: Mapping[str, ImageProjection]
    with_references: FloatArray
    alone: FloatArray

    @classmethod
    def load(cls, path: str | Path) -> ImageModel:
        """A file that `tools/train_captious_image.py` wrote."""
        return _load(Path(path))

    def save(self, path: str | Path) -> None:
        """Write plain arrays, the maps in half precision."""
        arrays = {name: _to_half_precision(name, array) for name, array in self._arrays.items()}
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
                for name in PROJECTION_ARRAYS
            },
            **{name: getattr(self, name) for name in WEIGHT_ARRAYS},
        }


def _to_half_precision(name: str, array: SingleArray | FloatArray) -> np.ndarray:
    return array.astype(np.float16) if name.endswith(".mapping") else array


@lru_cache(maxsize=4)
def _load(path: Path) -> ImageModel:
    with FILE.opened(path) as file:
        spaces = [space for space in SPACES if f"{space}.mapping" in file.names]
        if not spaces:
            raise file.unsound(f"no places in any of: {', '.join(SPACES)}")
        arrays = file.read(*(each for space in spaces for each in _members(space)))
        weights = file.read(
            Member(WEIGHT_ARRAYS[0], DECIMALS, (len(spaces) + 2,)),
            Member(WEIGHT_ARRAYS[1], DECIMALS, (len(spaces) + 1,)),
        )
    single = {name: array.astype(np.float32, copy=False) for name, array in arrays.items()}
    places = {
        space: ImageProjection(*(single[f"{space}.{name}"] for name in PROJECTION_ARRAYS))
        for space in spaces
    }
    return ImageModel(places, *weights.values())


def _members(space: str) -> tuple[Member, ...]:
    """The arrays of the places in a space, in the order of `PROJECTION_ARRAYS`."""
    dims = (("image", space), ("image",), (space,))
    return tuple(
        Member(f"{space}.{name}", DECIMALS, sides)
        for name, sides in zip(PROJECTION_ARRAYS, dims, strict=True)
    )
