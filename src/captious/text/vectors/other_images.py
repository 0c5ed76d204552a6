"""Other images: how near a caption lies to what is said of images in general.

*A man standing there* is near to the captions of many images, *a giraffe licking a tyre* to those
of few. A bank of images that have nothing to do with the ones at hand tells them apart.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from captious.arrays.equal_batches import in_equal_batches
from captious.arrays.ragged import FloatArray
from captious.resources import RESOURCES
from captious.text.vectors.caption_vectors import Vectors, at_length_one
from captious.text.vectors.word_vectors import WordVectors

SHIPPED = RESOURCES / "caption_vectors" / "other-images-384d.npz"
TEMPERATURE = 0.05  # that of the space's training
ROWS = 256  # vectors compared at a time


class OtherImages:
    """The centroids of many images' captions in a space of captions, at length one."""

    def __init__(self, vectors: WordVectors) -> None:
        self.signature = vectors.signature
        self.centroids: Vectors = at_length_one(
            vectors.at(np.arange(len(vectors))).astype(np.float32)
        )

    @classmethod
    def load(cls, path: str | Path | None = None) -> OtherImages:
        """The bank that ships, or one from a file."""
        return _load(Path(path) if path is not None else SHIPPED)

    def nearness(self, vectors: Vectors) -> FloatArray:
        """A soft maximum of the cosines between each vector and all other images."""

        def means(batch: Vectors) -> FloatArray:
            cosines = batch @ self.centroids.T
            cosines /= TEMPERATURE
            np.exp(cosines, out=cosines)
            mean: FloatArray = cosines.mean(axis=1, dtype=np.float64)
            return mean

        near: FloatArray = TEMPERATURE * np.log(in_equal_batches(vectors, ROWS, means))
        return near


@lru_cache(maxsize=2)
def _load(path: Path) -> OtherImages:
    return OtherImages(WordVectors.load(path))
