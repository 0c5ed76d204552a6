"""CHAIR: how many of the objects that captions mention are not in the image."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.images.sources import ImageSource
from captious.metrics.base import Metric
from captious.metrics.chair.vocabulary import ObjectVocabulary
from captious.metrics.image_inputs import images_parameter
from captious.metrics.image_objects import (
    DETECTOR,
    ObjectSource,
    objects_parameter,
    threshold_parameter,
)
from captious.metrics.parameters import parameter
from captious.metrics.statistic_rules import StatisticRules
from captious.samples import References, Samples
from captious.signature import Resource

BOTH, FILE = TRUTHS = ("both", "file")
_FLAGS = ("with_hallucinations", "samples")


@dataclass(frozen=True)
class Chair(Metric):
    """Hallucinated mentions over all mentions of objects, and the share of captions with one.

    An image has the objects that its references mention; with a file of objects or a detector,
    those that the file has or the detector sees, too, or those alone. What captions mention is
    found by the names of a vocabulary.
    """

    objects: str | Path | None = objects_parameter()
    vocabulary: str | Path | None = parameter(
        None,
        "a file of classes, one a line, other names of each after commas, in place of COCO's 80",
        words={"coco": None},
    )
    truth: str = parameter(
        BOTH, "which objects an image has where a file or a detector names them: its references', "
        "too, or not",
        choices=TRUTHS,
    )  # fmt: skip
    images: ImageSource | None = images_parameter("a folder of image files, for a detector")
    threshold: float = threshold_parameter()

    name = "chair"
    columns = ("chair_i", "chair_s")
    description = "objects mentioned that are not there (Rohrbach et al., 2018); lower is better"
    english = "its names of objects"
    lower_is_better = True
    statistic_names = ("hallucinated_mentions", "mentions", *_FLAGS)
    statistic_rules = StatisticRules.of_counts(
        statistic_names,
        (("hallucinated_mentions",), "mentions"),
        (("with_hallucinations",), "hallucinated_mentions"),
        (("with_hallucinations",), "samples"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        vocabulary = ObjectVocabulary.load(self.vocabulary)  # errors are raised here
        if self.objects is None:
            if self.truth == FILE:
                raise InputError(
                    "chair: truth=file needs a file of objects (objects=FILE), or a detector "
                    f"(objects={DETECTOR})"
                )
            return
        self._source.check()
        if not any(map(vocabulary.classes, self._source.names())):
            raise InputError(
                f"{self.objects}: no object in it has a name of the vocabulary; give names such as "
                f"{', '.join(vocabulary.example_classes)}, or a vocabulary of your own"
            )
        object.__setattr__(self, "needs_images", True)  # by their names objects are found

    def prepare(self, references: References) -> list[frozenset[str]]:
        """The classes of objects that each image has."""
        vocabulary = ObjectVocabulary.load(self.vocabulary)
        there: list[set[str]] = [set() for _ in range(len(references))]
        if self.objects is None or self.truth == BOTH:
            mentioned = vocabulary.find_mentions(references.analysis)
            rows = references.rows
            for image, row in zip(rows.owners.tolist(), rows.values.tolist(), strict=True):
                there[image].update(mentioned[row])
        if self.objects is not None:
            for image, names in enumerate(self._source.of(references)):
                there[image] |= vocabulary.classes(names)
        return list(map(frozenset, there))

    def statistics(self, samples: Samples, prepared: list[frozenset[str]]) -> FloatArray:
        """Mentions of what is not there, all mentions, whether there is one, and a one."""
        mentioned = ObjectVocabulary.load(self.vocabulary).find_mentions(samples.candidates)
        rows = []
        for row, image in zip(samples.rows.tolist(), samples.images.tolist(), strict=True):
            wrong = sum(each not in prepared[image] for each in mentioned[row])
            rows.append((wrong, len(mentioned[row]), wrong > 0, 1))
        return np.array(rows, np.float64).reshape(-1, len(self.statistic_names))

    def scores(self, statistics: FloatArray) -> FloatArray:
        """CHAIR-i, 0 where no object is mentioned, and CHAIR-s."""
        wrong, mentions, with_wrong, count = np.moveaxis(statistics, -1, 0)
        scores = [wrong / np.where(mentions > 0, mentions, 1), with_wrong / count]
        return np.stack(scores, axis=-1)

    def depends_on(self) -> dict[str, Any]:
        """The vocabulary and the file of objects, or the detector, with their hashes."""
        hashed = ObjectVocabulary.load(self.vocabulary).fingerprint
        vocabulary = Resource.of(self.vocabulary, "coco", hashed)
        return {"vocabulary": vocabulary, **self._source.signature_arguments()}

    def unused(self, parameter: str) -> str:
        """Images and a threshold are a detector's."""
        return self._source.unused(parameter)

    @property
    def _source(self) -> ObjectSource:
        return ObjectSource(self.name, self.objects, self.images, self.threshold)
