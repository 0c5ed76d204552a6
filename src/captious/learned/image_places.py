"""Image places: where the captions of an image would lie, told from the image's vector.

A linear map from image vectors into the space of captions, fitted so that an image lands on the
centroid of its captions.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from captious.errors import InputError
from captious.images.vectors import SingleArray
from captious.io.files import written_whole
from captious.ragged import FloatArray
from captious.steady import in_equal_batches
from captious.text.caption_vectors import Vectors, at_length_one

ROWS = 64  # images placed at a time
ARRAYS = ("mapping", "usual_image", "usual_caption", "with_references", "alone")


@dataclass(frozen=True, eq=False)
class ImagePlaces:
    """The map, what images and captions have in common, and how cosines become chances.

    `with_references` weighs the margin of `captious`, then the cosine, then has the bias; `alone`
    has the cosine's weight and the bias.
    """

    mapping: SingleArray
    usual_image: SingleArray
    usual_caption: SingleArray
    with_references: FloatArray
    alone: FloatArray

    @classmethod
    def load(cls, path: str | Path) -> ImagePlaces:
        """A file that `tools/train_captious_image.py` wrote."""
        return _load(Path(path))

    def save(self, path: str | Path) -> None:
        """Write plain arrays, the map in half precision."""
        with written_whole(path) as stream:
            np.savez(
                stream,
                mapping=self.mapping.astype(np.float16),
                **{name: getattr(self, name) for name in ARRAYS[1:]},
            )

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything."""
        digest = hashlib.sha256()
        for name in ARRAYS:
            digest.update(np.ascontiguousarray(getattr(self, name)).data)
        return digest.hexdigest()[:12]

    def of_images(self, vectors: SingleArray) -> Vectors:
        """The place of each image among captions, from its vector."""
        if vectors.shape[1] != len(self.usual_image):
            raise InputError(
                f"image vectors of {vectors.shape[1]} numbers, but places were learned from "
                f"{len(self.usual_image)} (EfficientNet-Lite2)"
            )
        centred = (vectors - self.usual_image).astype(np.float32)
        return at_length_one(in_equal_batches(centred, ROWS, lambda some: some @ self.mapping))

    def of_captions(self, vectors: Vectors) -> Vectors:
        """Captions' vectors without what all captions have in common; zeros stay zeros."""
        is_placed = (vectors != 0).any(axis=1, keepdims=True)
        return at_length_one(np.where(is_placed, vectors - self.usual_caption, np.float32(0)))


@lru_cache(maxsize=2)
def _load(path: Path) -> ImagePlaces:
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            mapping = arrays["mapping"].astype(np.float32)
            return ImagePlaces(mapping, *(arrays[name] for name in ARRAYS[1:]))
    except Exception as error:  # whatever a damaged file makes NumPy, zip and zlib raise
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: not a file of image places ({reason})") from None
