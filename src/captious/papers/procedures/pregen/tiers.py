"""The four tiers of a pre-gen metric, one after another, on a small example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Measured, Measurement, Table, Value
from captious.pregen.names import BEST, METRICS
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import Tiers

Word = tuple[float, bool]  # its probability, and whether it is the highest


def measure(
    experiment: Experiment,
    images: Sequence[Sequence[Sequence[Word]]],
    published: Mapping[str, Sequence[float]],
) -> Measured:
    """What each tier makes of the captions of images, beside what the paper has there."""
    words = WordProbabilities.of(
        [[[p for p, _ in caption] for caption in image] for image in images],
        [[[first for _, first in caption] for caption in image] for image in images],
    )
    metric, tiers = METRICS[BEST], Tiers(words)
    values = {
        "tier 1": np.asarray(tiers.selected(metric.filter).counts, np.float64),
        "tier 2": tiers.sentences(metric.sentence, metric.filter),
        "tier 3": tiers.images(metric.image, metric.sentence, metric.filter),
        "tier 4": np.array([tiers.value(metric)]),
    }
    whose = {
        "tier 1": [f"image {i}, caption {c}: words of the longest prefix ranked first"
                   for i, image in enumerate(images, 1) for c, _ in enumerate(image, 1)],
        "tier 2": [f"image {i}, caption {c}: their share of its words"
                   for i, image in enumerate(images, 1) for c, _ in enumerate(image, 1)],
        "tier 3": [f"image {i}: the largest share" for i, _ in enumerate(images, 1)],
        "tier 4": ["the mean over images"],
    }  # fmt: skip
    rows: list[list[Value]] = [
        [tier, what, Measurement(float(value), published=known)]
        for tier in values
        for what, value, known in zip(whose[tier], values[tier], published[tier], strict=True)
    ]
    return Measured((Table(f"`{BEST}`, tier by tier", ["tier", "of", "value"], rows, texts=2),))
