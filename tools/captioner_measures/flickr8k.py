"""Flickr8k for measuring captioners: captions and image vectors of two splits."""

from __future__ import annotations

from pathlib import Path

from captious.images.vectors import ImageVectors, read_image_vectors
from captious.io.training_captions import read_image_captions

SPLITS = ("test", "dev")


class Flickr8k:
    """The captions of each split by image, and the vectors of all images."""

    def __init__(self, data: Path) -> None:
        folder = data / "flickr8k"
        self.folder = folder
        self.captions = {
            split: read_image_captions(
                folder / "Flickr8k.token.txt", folder / f"Flickr_8k.{split}Images.txt"
            )
            for split in SPLITS
        }
        self.vectors: ImageVectors = read_image_vectors(folder / "efficientnet_lite2.npz")

    def references(self, split: str) -> list[list[str]]:
        """The captions of each image of a split."""
        return [list(captions) for captions in self.captions[split].values()]

    def images(self, split: str) -> ImageVectors:
        """The vectors of a split's images, in the same order."""
        return self.vectors.take(list(self.captions[split]))
