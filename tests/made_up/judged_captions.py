"""Captions that people judged, made up for tests: here the words matter."""

from __future__ import annotations

import numpy as np

from captious.meta.judgements import Preferences, Ratings

REFERENCES = {
    "beach": [
        "a brown dog runs along the beach",
        "the dog is running on wet sand",
        "a dog chases waves by the sea",
    ],
    "horse": [
        "a man rides a white horse",
        "the man is riding on a horse",
        "a rider on a horse in a field",
    ],
    "cats": [
        "two cats sleep on a bed",
        "a pair of cats lies on the bed",
        "cats are sleeping on a blanket",
    ],
    "bus": [
        "a red bus stops in the street",
        "the bus is parked on a city street",
        "a double decker bus in the city",
    ],
    "boat": [
        "a small boat floats on a lake",
        "the boat is on calm water",
        "a wooden boat near the shore",
    ],
    "kite": [
        "a child flies a kite in the park",
        "the girl is flying a yellow kite",
        "a kite in the sky above a park",
    ],
}

CANDIDATES = {
    "beach": ("a dog runs on the beach", "a cat sits by the sea"),
    "horse": ("a man on a white horse", "a woman with a dog"),
    "cats": ("two cats on a bed", "a bed in the street"),
    "bus": ("a red bus in the city", "a man stops the car"),
    "boat": ("a wooden boat on calm water", "the lake is calm"),
    "kite": ("a child with a yellow kite", "people in a park"),
}

RATINGS = [[4, 3], [1, 1], [4, 4], [1, 2], [3, 4], [2, 1], [4, 4], [1, 1], [3, 3], [3, 2], [4, 2],
           [2, 2]]  # fmt: skip
PREFERRED = [0, 0, 0, 0, 1, 0]


def rated(groups: list[str] | None = None) -> Ratings:
    """Twelve captions of six images, rated by two people."""
    return Ratings(
        [caption for two in CANDIDATES.values() for caption in two],
        [own for own in REFERENCES.values() for _ in (0, 1)],
        [image for image in REFERENCES for _ in (0, 1)],
        np.array(RATINGS, dtype=float),
        groups or ["all"] * 12,
    )


def preferred() -> Preferences:
    """Six pairs in two groups."""
    return Preferences(
        list(CANDIDATES.values()),
        list(REFERENCES.values()),
        list(REFERENCES),
        np.array(PREFERRED),
        ["HM", "HM", "HM", "MM", "MM", "MM"],
    )
