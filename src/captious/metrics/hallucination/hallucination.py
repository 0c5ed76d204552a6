"""Hallucination: the share of things mentioned in a caption that its references do not support."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.bounds import Bounds
from captious.images.sources import ImageSource
from captious.metrics.base import COUNT_BOUNDS, Metric, StatisticRules
from captious.metrics.hallucination.doubts import (
    CONSTANT,
    WEIGHTS,
    Doubts,
    Meaning,
    meanings_with_broader,
)
from captious.metrics.hallucination.things import KINDS
from captious.metrics.image_inputs import images_parameter
from captious.metrics.image_objects import (
    ObjectSource,
    objects_parameter,
    threshold_parameter,
)
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.vectors.caption_vectors import CaptionSpace

IMPORTANCE = np.array([1.0, 0.5, 0.5])  # of an object, an attribute, a relation: objects first
_DOUBTS = tuple(f"doubted_{kind}s" for kind in KINDS)
_COUNTS = tuple(f"{kind}s" for kind in KINDS)


@dataclass(frozen=True)
class Hallucination(Metric):
    """Mean probability that a thing mentioned in the caption is made up; 0 is best.

    The corpus score is that of all captions' things together. What says nothing has 0. Objects that
    a file has of the image, or that a detector sees in it, are in no doubt.
    """

    objects: str | Path | None = objects_parameter()
    images: ImageSource | None = images_parameter("a folder of image files, for a detector")
    threshold: float = threshold_parameter()

    name = "hallucination"
    description = "share of the things said that no reference supports; lower is better"
    english = "its parser, synonyms and space of captions"
    lower_is_better = True
    statistic_names = (*_DOUBTS, *_COUNTS)
    statistic_rules = StatisticRules(
        {
            **dict.fromkeys(_DOUBTS, Bounds(0, COUNT_BOUNDS.most, with_most=True)),
            **dict.fromkeys(_COUNTS, COUNT_BOUNDS),
        },
        tuple(((doubts,), count) for doubts, count in zip(_DOUBTS, _COUNTS, strict=True)),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._source.check()
        if self.objects is not None:
            object.__setattr__(self, "needs_images", True)  # by their names objects are found

    def prepare(self, references: References) -> list[frozenset[Meaning]] | None:
        """Return the meanings of each image's objects, from a file or a detector."""
        if self.objects is None:
            return None
        return [
            frozenset().union(
                *(meanings_with_broader(word) for name in names for word in name.split())
            )
            for names in self._source.object_names(references)
        ]

    def statistics(self, samples: Samples, prepared: list[frozenset[Meaning]] | None) -> FloatArray:
        """The sum of doubts and the number of things, kind by kind."""
        doubts = Doubts.of(samples)
        values = doubts.values
        if prepared is not None:
            depicted = [prepared[image] for image in samples.images.tolist()]
            values = np.where(doubts.is_depicted(depicted), 0.0, values)
        cells = doubts.words.owners * len(KINDS) + doubts.kinds
        size = len(samples) * len(KINDS)
        sums = [np.bincount(cells, weights, size) for weights in (values, None)]
        return np.hstack([each.reshape(len(samples), -1).astype(np.float64) for each in sums])

    def scores(self, statistics: FloatArray) -> FloatArray:
        """The weighted share of all kinds, and the share of each."""
        doubts, counts = np.split(statistics, 2, axis=-1)
        all_doubts = (doubts * IMPORTANCE).sum(axis=-1, keepdims=True)
        all_counts = (counts * IMPORTANCE).sum(axis=-1, keepdims=True)
        parts = np.concatenate([all_doubts, doubts], axis=-1)
        wholes = np.concatenate([all_counts, counts], axis=-1)
        shares: FloatArray = parts / np.where(wholes > 0, wholes, 1)
        return shares

    def depends_on(self) -> dict[str, Any]:
        """The space, the parser, the broader words, and the weights of doubts."""
        from captious.text.english import ENGLISH
        from captious.text.parser.parser import shipped_parser

        vectors = CaptionSpace.load().vectors
        return {
            "space": Resource.of(None, vectors.name, vectors.fingerprint),
            "parser": shipped_parser().fingerprint,
            "broader": ENGLISH.hypernyms.fingerprint,
            "doubts": sha256(repr((CONSTANT, WEIGHTS)).encode()).hexdigest()[:8],
            **self._source.signature_arguments(),
        }

    def unused_reason(self, parameter: str) -> str:
        """Return why an option is unused: images and a threshold are for a detector."""
        return self._source.unused_reason(parameter)

    @property
    def _source(self) -> ObjectSource:
        return ObjectSource(self.name, self.objects, self.images, self.threshold)
