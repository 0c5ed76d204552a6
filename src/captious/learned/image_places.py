"""Image places: where the captions of an image would lie, told from the image's vector.

A linear map from image vectors into a space where captions have vectors, fitted so that an image
lands on the centroid of its captions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious.errors import InputError
from captious.images.vectors import SingleArray
from captious.steady import in_equal_batches
from captious.text.analysis import Analysis
from captious.text.caption_vectors import CaptionSpace, Vectors, at_length_one, caption_vectors
from captious.text.encoder import encoder_named
from captious.text.sentence_vectors import worded_vectors

ROWS = 64  # images placed at a time
WORDS, ENCODER = SPACES = ("words", "encoder")  # sums of words' vectors, or an encoder's


def vectors_in(space: str, analysis: Analysis) -> Vectors:
    """The vector of each caption of an analysis in a space; zeros for those without words."""
    if space == ENCODER:
        return worded_vectors(analysis, encoder_named())
    return caption_vectors(analysis, CaptionSpace.load(), np.arange(len(analysis.captions)))


@dataclass(frozen=True, eq=False)
class ImagePlaces:
    """The map into one space, and what images and captions have in common there."""

    mapping: SingleArray
    usual_image: SingleArray
    usual_caption: SingleArray

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
        if vectors.shape[1] != len(self.usual_caption):
            raise InputError(
                f"caption vectors of {vectors.shape[1]} numbers, but places were learned among "
                f"those of {len(self.usual_caption)}"
            )
        is_placed = (vectors != 0).any(axis=1, keepdims=True)
        return at_length_one(np.where(is_placed, vectors - self.usual_caption, np.float32(0)))
