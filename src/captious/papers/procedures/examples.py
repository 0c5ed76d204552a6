"""Examples of captions before and after each transformation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.pathological import other_words
from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Measured, Table, Value

# Two captions of each of some images; the first is made worse.
CAPTIONS = {
    "kitchen": ["a woman cuts vegetables in a small kitchen", "someone is preparing a salad"],
    "beach": ["two dogs run along the beach after a ball", "dogs playing in the sand"],
    "street": ["a red bus stops at a crowded street corner", "people wait for a bus in the city"],
    "park": ["an old man reads a newspaper on a bench", "a man sitting in a park with a paper"],
}
STRENGTHS = (25, 100)  # per cent
SEED = 0


def measure(experiment: Experiment, kinds: Mapping[str, str]) -> Measured:
    """Each first caption, and what becomes of it; captions of other images have no strength."""
    data = CaptionedImages.of(CAPTIONS)
    chance = np.random.default_rng(SEED)
    changed = {
        (kind, strength): other_words(data, kind, strength, chance)
        for kind in kinds
        if kind != "random_caption"
        for strength in STRENGTHS
    }
    names = list(CAPTIONS)
    rows: list[list[Value]] = []
    for place, (name, captions) in enumerate(CAPTIONS.items()):
        row = data.rows_of_image[place][0]
        other = CAPTIONS[names[(place + 1) % len(names)]][0]
        rows.append([name, "as it was", captions[0]])
        for kind, label in kinds.items():
            if kind == "random_caption":
                rows.append([name, label, other])
        for (kind, strength), texts in changed.items():
            rows.append([name, f"{kinds[kind]}, {strength} %", texts[row]])
    header = ["image", "transformation", "caption"]
    return Measured((Table("Captions before and after", header, rows, texts=3),))
