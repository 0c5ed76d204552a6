"""Captions of people and of a machine that tests learn from."""

from __future__ import annotations

NOUNS = ["dog", "cat", "horse", "boy", "girl", "train", "bird", "kite", "boat", "clock"]
PLACES = ["beach", "street", "field", "kitchen", "tower", "station", "hill", "river"]


def people(images: int = 30) -> dict[str, list[str]]:
    """Six captions for each image, all different."""
    captions = {}
    for image in range(images):
        noun, place = NOUNS[image % len(NOUNS)], PLACES[image % len(PLACES)]
        captions[f"i{image}"] = [
            f"a {noun} near the {place} number {image}",
            f"the {noun} stands at a {place}, {image} in all",
            f"one {noun} and one {place} with {image} on it",
            f"there is a small {noun} by the {place} {image}",
            f"some {noun} seen from the {place} of {image}",
            f"a {place} with a brown {noun} and the number {image}",
        ]
    return captions


def machine(images: int = 30) -> dict[str, str]:
    """One dull caption for each image."""
    return {
        f"i{image}": f"a {NOUNS[(image * 3) % len(NOUNS)]} in a room" for image in range(images)
    }
