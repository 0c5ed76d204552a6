"""Image vectors by name, which captioners read; they live with the images."""

from __future__ import annotations

from captious.images.vectors import ImageVectors, SingleArray, read_image_vectors

__all__ = ["ImageVectors", "SingleArray", "read_image_vectors"]
