"""A toy world: images are vectors that say which animal does what, and captions say it too."""

from __future__ import annotations

import numpy as np

from captious.captioners.examples import Examples
from captious.captioners.recipe import CaptionerRecipe
from captious.images.vectors import ImageVectors

ANIMALS = ("dog", "cat", "horse", "bird")
DEEDS = ("runs", "sleeps", "eats quietly")
WIDTH = len(ANIMALS) + len(DEEDS) + 1
RECIPE = CaptionerRecipe(
    size=12,
    dropout=0.2,
    learning_rate=0.02,
    decay=1.0,
    batch=16,
    epochs=4,
    patience=4,
    least_count=1,
    seed=3,
)


def images(number: int = 48) -> ImageVectors:
    """Vectors of so many images, no two alike."""
    chance = np.random.default_rng(5)
    vectors = 0.1 * chance.random((number, WIDTH))
    for row in range(number):
        vectors[row, row % len(ANIMALS)] = 1
        vectors[row, len(ANIMALS) + row % len(DEEDS)] = 1
    return ImageVectors.of([f"{row}.jpg" for row in range(number)], vectors)


def captions(number: int = 48, start: int = 0) -> dict[str, list[str]]:
    """Two captions an image, of different lengths."""
    said = {}
    for row in range(start, start + number):
        animal, deed = ANIMALS[row % len(ANIMALS)], DEEDS[row % len(DEEDS)]
        said[f"{row}.jpg"] = [f"A {animal} {deed}.", f"There is a {animal} that {deed}."]
    return said


def examples() -> tuple[Examples, Examples]:
    """For training and for validation."""
    return Examples.of(captions(36), images()), Examples.of(captions(12, 36), images())
