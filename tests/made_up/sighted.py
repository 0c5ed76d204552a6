"""A metric that tells which image it saw, and vectors of images that it can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious.images.sources import ImageSource
from captious.images.vectors import ImageVectors
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.image_inputs import image_signature, load_image_vectors
from captious.samples import References, Samples


@dataclass(frozen=True)
class SeenImage(Metric):
    """The first number of the vector of a caption's image, whatever the caption says."""

    images: ImageSource

    name = "seen_image"
    columns = ("seen_image",)
    description = "which image was seen"
    needs_images = True

    def prepare(self, references: References) -> np.ndarray:
        """The first number of each image's vector."""
        return load_image_vectors(self.name, self.images, references)[:, 0].astype(np.float64)

    def statistics(self, samples: Samples, prepared: np.ndarray) -> np.ndarray:
        """That of each sample's image."""
        return mean_statistics(prepared[samples.images])

    def depends_on(self) -> dict[str, Any]:
        """What is seen."""
        return {"images": image_signature(self.images)}


def numbers_of(names: Sequence[str]) -> dict[str, float]:
    """What `SeenImage` sees of images that have the vectors of `vectors_by_name`."""
    vectors = vectors_by_name(names)
    return dict(zip(vectors.names, vectors.vectors[:, 0].astype(float).tolist(), strict=True))


def vectors_by_name(names: Sequence[str]) -> ImageVectors:
    """Vectors that differ, in the order of the alphabet: no order that any captions have."""
    angles = np.linspace(0.1, 1.4, len(names))
    return ImageVectors.of(sorted(names), np.column_stack([np.cos(angles), np.sin(angles)]))
