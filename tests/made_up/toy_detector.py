"""A detector that sees a dog in red, a person in green and a cat in blue, and counts its looks."""

from __future__ import annotations

import numpy as np
import pytest

from captious.images.detector import Detector
from captious.images.preprocessing import Floats, Recipe
from tests.made_up.toy_images import Image, saved

COLOURS = {"dog": (204, 0, 0), "person": (0, 204, 0), "cat": (0, 0, 102), "nothing": (0, 0, 0)}


class ToyDetector(Detector):
    name = "toy"
    recipe = Recipe(4, 4, (0.0,) * 3, (255.0,) * 3)
    fingerprint = "70ad7070ad70"
    classes = ("dog", "person", "cat")
    width = 3

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def _run(self, pixels: Floats) -> Floats:
        self.looks += 1
        means: Floats = pixels.mean(axis=(2, 3))
        return means


def in_place_of_the_real_one(patch: pytest.MonkeyPatch) -> ToyDetector:
    toy = ToyDetector()
    for module in ("images.detector", "metrics.image_objects"):
        patch.setattr(f"captious.{module}.load_detector", lambda: toy)
    return toy


def picture_of(name: str) -> bytes:
    return saved(Image.new("RGB", (9, 7), COLOURS[name]), "PNG")


def brightness(name: str) -> float:
    """Score of the class of an image of this name."""
    return float(np.max(COLOURS[name]) / 255)
