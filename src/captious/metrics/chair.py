"""CHAIR: how many of the objects that captions mention are not in the image."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, short_repr
from captious.images.sources import ImageSource
from captious.io.inputs import modification_time, read_text
from captious.metrics.base import Metric, StatisticRules
from captious.metrics.image_inputs import images_parameter
from captious.metrics.image_objects import (
    DETECTOR,
    ObjectSource,
    objects_parameter,
    threshold_parameter,
)
from captious.metrics.parameters import parameter
from captious.resources import RESOURCES
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.tokenizer.tokenizer import tokenize
from captious.text.tokens import Tokens

SHIPPED = RESOURCES / "objects" / "coco.txt"
NO_OBJECT = "-"  # the class of phrases that name no object
NON_PLURAL_ENDINGS = ("ing", "ed", "er", "est")  # inflected forms, but no plurals
MAX_NAME_WORDS = 10
MAX_NAMES = 100_000

Name = tuple[str, ...]
BOTH, FILE = TRUTHS = ("both", "file")
_FLAGS = ("with_hallucinations", "samples")


@dataclass(frozen=True, eq=False, repr=False)
class ObjectVocabulary:
    """Object classes by name; a phrase without a class hides the names in it."""

    class_of: dict[Name, str | None]
    longest: int  # words of a name
    fingerprint: str

    @classmethod
    def load(cls, path: str | Path | None = None) -> ObjectVocabulary:
        """Load COCO's classes, or a file: a class a line, its other names after commas."""
        path = SHIPPED if path is None else Path(path)
        return _load(path, modification_time(path))

    @property
    def example_classes(self) -> list[str]:
        """The first classes, for errors to name."""
        return sorted({each for each in self.class_of.values() if each is not None})[:3]

    def mentions(self, words: Sequence[str]) -> Iterator[str]:
        """The class of every mention, in order; of names that overlap, the longer and the first."""
        place = 0
        while place < len(words):
            for length in range(min(self.longest, len(words) - place), 0, -1):
                name = self._name(words[place : place + length])
                if name is not None:
                    if (object_class := self.class_of[name]) is not None:
                        yield object_class
                    place += length
                    break
            else:
                place += 1

    def classes(self, names: Iterable[str]) -> frozenset[str]:
        """The classes of objects: by their own names, or by those that captions have for them."""
        own_names = set(self.class_of.values())
        return frozenset(
            each
            for name in names
            for each in ([name] if name in own_names else self.mentions(tokenize(name)))
        )

    def find_mentions(self, analysis: Analysis) -> list[tuple[str, ...]]:
        """The mentions in each caption of an analysis, found once."""

        def find() -> list[tuple[str, ...]]:
            return [tuple(self.mentions(words)) for words in analysis.layer(Tokens).words]

        return analysis.get_or_compute(("mentions", self.fingerprint), find)

    def _name(self, words: Sequence[str]) -> Name | None:
        """Return the name that the words form, the last perhaps in the plural; None without one."""
        *before, last = words
        names = ((*before, form) for form in (last, *singulars(last)))
        return next((name for name in names if name in self.class_of), None)


@lru_cache(maxsize=100_000)
def singulars(word: str) -> tuple[str, ...]:
    """Return the words that this may be the plural of."""
    if word.endswith(NON_PLURAL_ENDINGS):
        return ()
    rule = [word.removesuffix("s")] if word.endswith("s") and not word.endswith("ss") else []
    return tuple(dict.fromkeys([*ENGLISH.synonyms.base_forms(word), *rule]))


@lru_cache(maxsize=8)
def _load(path: Path, written: int) -> ObjectVocabulary:
    text = read_text(path)
    class_of: dict[Name, str | None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        object_class, names = _parse_line(line)
        if not object_class:
            raise InputError(f"{path}: line {number}: no class before the first comma")
        new = None if object_class == NO_OBJECT else object_class
        for text_of_name in names:
            name = tuple(tokenize(text_of_name))
            _check_name(f"{path}: line {number}", text_of_name, name)
            if class_of.setdefault(name, new) != new:
                raise InputError(
                    f"{path}: line {number}: {short_repr(text_of_name)} names two classes, "
                    f"{short_repr(class_of[name] or NO_OBJECT)} and "
                    f"{short_repr(new or NO_OBJECT)}; keep one"
                )
    if not any(class_of.values()):
        raise InputError(
            f"{path}: no classes of objects; give one a line, its other names after commas"
        )
    if len(class_of) > MAX_NAMES:
        raise InputError(f"{path}: {len(class_of):,} names of objects; at most {MAX_NAMES:,}")
    hashed = hashlib.sha256(repr(sorted(class_of.items())).encode("utf-8", "surrogatepass"))
    return ObjectVocabulary(class_of, max(map(len, class_of)), hashed.hexdigest()[:8])


def _parse_line(line: str) -> tuple[str, list[str]]:
    """Parse a line into class and names; the class is a name unless a colon follows it."""
    first, *others = (part.strip() for part in line.split(","))
    object_class, colon, name = (part.strip() for part in first.partition(":"))
    return object_class, [name, *others] if colon else [first, *others]


def _check_name(where: str, text: str, name: Name) -> None:
    if not name:
        raise InputError(f"{where}: {short_repr(text)} is no name: it has no word")
    if len(name) > MAX_NAME_WORDS:
        raise InputError(
            f"{where}: {short_repr(text)} has {len(name):,} words, and names have {MAX_NAME_WORDS}"
        )


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
        if not any(map(vocabulary.classes, self._source.possible_names())):
            raise InputError(
                f"{self.objects}: no object in it has a name of the vocabulary; give names such as "
                f"{', '.join(vocabulary.example_classes)}, or a vocabulary of your own"
            )
        object.__setattr__(self, "needs_images", True)  # by their names objects are found

    def prepare(self, references: References) -> list[frozenset[str]]:
        """The classes of objects that each image has."""
        vocabulary = ObjectVocabulary.load(self.vocabulary)
        present: list[set[str]] = [set() for _ in range(len(references))]
        if self.objects is None or self.truth == BOTH:
            mentioned = vocabulary.find_mentions(references.analysis)
            rows = references.rows
            for image, row in zip(rows.owners.tolist(), rows.values.tolist(), strict=True):
                present[image].update(mentioned[row])
        if self.objects is not None:
            for image, names in enumerate(self._source.object_names(references)):
                present[image] |= vocabulary.classes(names)
        return list(map(frozenset, present))

    def statistics(self, samples: Samples, prepared: list[frozenset[str]]) -> FloatArray:
        """Count hallucinated mentions and all mentions, and captions with a hallucinated one."""
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

    def unused_reason(self, parameter: str) -> str:
        """Return why an option is unused: images and a threshold are for a detector."""
        return self._source.unused_reason(parameter)

    @property
    def _source(self) -> ObjectSource:
        return ObjectSource(self.name, self.objects, self.images, self.threshold)
