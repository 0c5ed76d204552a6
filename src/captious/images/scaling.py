"""Image scaling: image vectors made alike in every number, so that a network learns from all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious.images.vectors import ImageVectors, SingleArray

SMALLEST = float(np.finfo(np.float16).smallest_subnormal)  # deviation that is told from none


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
        """Fitted to the training images."""
        wide = training.vectors.astype(np.float64)
        deviation = wide.std(axis=0)
        deviation[deviation < SMALLEST] = 1  # a number that never varies becomes 0
        return cls(wide.mean(axis=0).astype(np.float32), deviation.astype(np.float32))

    @classmethod
    def none(cls, width: int) -> ImageScaling:
        """Vectors stay as they are."""
        return cls(np.zeros(width, np.float32), np.ones(width, np.float32))

    def apply(self, images: ImageVectors) -> ImageVectors:
        """Standardised vectors, of unit length again (or zero, for the mean of all images)."""
        return ImageVectors(images.names, self._scaled(images.vectors), images.source)

    def inputs(self, vectors: SingleArray) -> SingleArray:
        """The same as a layer reads them: unit vectors are tiny, these have a mean square of 1."""
        scaled = self._scaled(vectors)
        inputs: SingleArray = (scaled * np.sqrt(scaled.shape[1])).astype(np.float32)
        return inputs

    def _scaled(self, vectors: SingleArray) -> SingleArray:
        scaled: SingleArray = (vectors - self.mean) / self.deviation
        lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
        scaled /= np.where(lengths > 0, lengths, 1)
        return scaled
