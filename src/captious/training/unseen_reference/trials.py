"""Trials: candidates with some of an image's captions as references, and one held out.

Candidates are machines' and people's captions, of the image, of images like it and of any other, so
that good, nearly right and wrong ones are among them. One to four captions are the references: the
same weights have to serve however many there are.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, offsets_of
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors, centroids

Captions = Sequence[Sequence[str]]  # of each image, tokenised, with spaces between the words

MIN_CAPTIONS = 3  # captions of an image: one is held back, one a reference, one a candidate
MAX_REFERENCES = 4
MAX_MACHINE_CAPTIONS = 3  # captions of the image by machines, of as many as there are
# Which other images the captions come from by which chances are calibrated: any, or by rank.
RANKS: tuple[range | None, ...] = (None, range(10, 100), range(3))


@dataclass(frozen=True)
class Trials:
    """Candidates with their references, the image's held-out caption, and its index."""

    candidates: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    held_back: list[str] = field(default_factory=list)
    images: list[int] = field(default_factory=list)
    own: list[bool] = field(default_factory=list)  # written for this image?

    def __len__(self) -> int:
        return len(self.candidates)

    def add(
        self, image: int, candidate: str, references: list[str], held_back: str, own: bool
    ) -> None:
        """Append a trial."""
        self.candidates.append(candidate)
        self.references.append(references)
        self.held_back.append(held_back)
        self.images.append(image)
        self.own.append(own)

    def features(self, whole: FeatureSet) -> FloatArray:
        """The features of each trial."""
        return extract_features(whole, self.candidates, self.references, tokenizer="whitespace")

    def similarities(self, whole: FeatureSet) -> FloatArray:
        """The same features with the held-out caption as the only reference."""
        unseen = [[caption] for caption in self.held_back]
        return extract_features(whole, self.candidates, unseen, tokenizer="whitespace")

    @property
    def labels(self) -> FloatArray:
        """1 for captions written for the image, else 0."""
        return np.array(self.own, np.float64)

    @property
    def importance(self) -> FloatArray:
        """Weights of the trials that balance both labels."""
        labels = self.labels
        return np.where(labels > 0, (labels == 0).sum() / max(labels.sum(), 1.0), 1.0)


def build_trials(
    people: Captions, machines: Captions, space: CaptionSpace, seed: int = 0
) -> Trials:
    """Build trials from images with at least three human captions and any machine captions."""
    rng = random.Random(seed)
    near = nearest_images(people, space)
    trials = Trials()
    for image, several in enumerate(people):
        held_back, *others = rng.sample(several, len(several))

        def add(candidate: str, beside: list[str], own: bool, held: str = held_back) -> None:
            trials.add(image, candidate, _draw_references(beside, rng), held, own)  # noqa: B023

        for candidate in rng.sample(
            machines[image], min(MAX_MACHINE_CAPTIONS, len(machines[image]))
        ):
            add(candidate, others, True)
        for written in (machines, people):
            # Nearer images more often than those farther off, as far as the hundredth.
            similar = int(near[image, int(near.shape[1] ** rng.random()) - 1])
            for other in (similar, _other_image(image, len(people), rng)):
                if written[other]:
                    add(rng.choice(written[other]), others, False)
        add(others[-1], others[:-1], True)
    return trials


def other_image_trials(
    people: Captions, space: CaptionSpace, seed: int = 0, number: int | None = None
) -> Trials:
    """Build trials of an image's own caption and three of other images, with equal references.

    So many others, or one to four.
    """
    rng = random.Random(seed)
    near = nearest_images(people, space)
    trials = Trials()
    for image, several in enumerate(people):
        candidate, *others = rng.sample(several, len(several))
        references = _draw_references(others, rng) if number is None else others[:number]
        trials.add(image, candidate, references, "", True)
        for ranks in RANKS:
            if ranks is None:
                other = _other_image(image, len(people), rng)
            else:
                rank = rng.randrange(ranks.start, ranks.stop)
                other = int(near[image, min(rank, near.shape[1] - 1)])
            trials.add(image, rng.choice(people[other]), references, "", False)
    return trials


def nearest_images(people: Captions, space: CaptionSpace, number: int = 100) -> IntArray:
    """Return for each image the other images, nearest first, by centroids of their captions."""
    flat = [caption for several in people for caption in several]
    vectors = caption_vectors(Analysis(flat, "whitespace"), space, np.arange(len(flat)))
    places = centroids(vectors, offsets_of(np.array([len(several) for several in people])))
    number = min(number, len(people) - 1)
    nearest = np.empty((len(people), number), np.int64)
    for start in range(0, len(people), 512):  # bounds memory
        cosines = places[start : start + 512] @ places.T
        cosines[np.arange(len(cosines)), np.arange(start, start + len(cosines))] = -np.inf
        nearest[start : start + 512] = np.argsort(-cosines, axis=1, kind="stable")[:, :number]
    return nearest


def _draw_references(captions: Sequence[str], rng: random.Random) -> list[str]:
    """Draw one to four captions, each number equally often."""
    return rng.sample(captions, rng.randint(1, min(len(captions), MAX_REFERENCES)))


def _other_image(image: int, number: int, rng: random.Random) -> int:
    return (image + rng.randrange(1, number)) % number
