"""A toy world for critics: images that say which animal does what, people's captions, machines'."""

from __future__ import annotations

import numpy as np

from captious.images.vectors import ImageVectors
from captious.metrics.leic.recipe import CriticRecipe
from captious.text.vectors.word_vectors import WordVectors
from captious.training.critics.captions import CriticCaptions
from tests.made_up.animals import ANIMALS, vectors_of

DEEDS = ("runs", "sleeps", "eats")
PLACES = ("here", "there", "outside")
RECIPE = CriticRecipe(
    size=16,
    hidden=24,
    sketch=64,
    least_count=1,
    dropout=0.1,
    learning_rate=0.01,
    decay=1.0,
    batch=24,
    epochs=4,
    patience=4,
    seed=3,
)
VECTORS = WordVectors.of(
    "toy",
    [*ANIMALS, *DEEDS, *PLACES, "a", "the"],
    np.random.default_rng(2).normal(0, 0.5, (12, 10)).astype(np.float32),
)


def images(number: int = 60) -> ImageVectors:
    """Vectors of so many images, no two alike."""
    return ImageVectors.of([f"{row}.jpg" for row in range(number)], vectors_of(number))


def people(number: int = 48, start: int = 0) -> dict[str, list[str]]:
    """Three captions an image."""
    said = {}
    for row in range(start, start + number):
        animal, deed = ANIMALS[row % len(ANIMALS)], DEEDS[row % len(DEEDS)]
        said[f"{row}.jpg"] = [f"a {animal} {deed} {place}" for place in PLACES]
    return said


def machine(number: int = 48, start: int = 0) -> dict[str, list[str]]:
    """What a machine says: the animal, and nothing else."""
    return {
        f"{row}.jpg": [f"a {ANIMALS[row % len(ANIMALS)]}"] for row in range(start, start + number)
    }


def captions() -> tuple[CriticCaptions, CriticCaptions]:
    """For training and for validation."""
    return (
        CriticCaptions.of(people(), {"machine": machine()}, images()),
        CriticCaptions.of(people(12, 48), {"machine": machine(12, 48)}, images()),
    )
