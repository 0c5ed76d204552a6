"""Weights that predict a candidate's similarity to an unseen reference, and their calibration.

A trial is a candidate with some of an image's captions as references, and one held out. Candidates
are machines' and people's captions, of the image, of images like it and of any other, so that good,
nearly right and wrong ones are among them. One to four captions are the references: the same
weights have to serve however many there are. Similarity is the mean of several standardized
measures. No human judgement is used: feature sets are compared by how well they predict the unseen
reference of images that they were not fitted on.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, logistic, offsets_of
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.metrics.learned.network import Network
from captious.metrics.learned.weights import LearnedModel, Scaling
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors, centroids
from captious.training.nonnegative import nonnegative_least_squares, nonnegative_logistic

Captions = Sequence[Sequence[str]]  # of each image, tokenized, with spaces between the words

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
    held_out: list[str] = field(default_factory=list)
    images: list[int] = field(default_factory=list)
    is_own: list[bool] = field(default_factory=list)  # written for this image?

    def __len__(self) -> int:
        return len(self.candidates)

    def add(
        self, image: int, candidate: str, references: list[str], held_out: str, is_own: bool
    ) -> None:
        """Append a trial."""
        self.candidates.append(candidate)
        self.references.append(references)
        self.held_out.append(held_out)
        self.images.append(image)
        self.is_own.append(is_own)

    def features(self, feature_set: FeatureSet) -> FloatArray:
        """The features of each trial."""
        return extract_features(
            feature_set, self.candidates, self.references, tokenizer="whitespace"
        )

    def similarities(self, feature_set: FeatureSet) -> FloatArray:
        """The same features with the held-out caption as the only reference."""
        unseen = [[caption] for caption in self.held_out]
        return extract_features(feature_set, self.candidates, unseen, tokenizer="whitespace")

    @property
    def labels(self) -> FloatArray:
        """1 for captions written for the image, else 0."""
        return np.array(self.is_own, np.float64)

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
    nearest = nearest_images(people, space)
    trials = Trials()
    for image, captions in enumerate(people):
        held_out, *others = rng.sample(captions, len(captions))

        def add(
            candidate: str, available: list[str], is_own: bool, held_out_caption: str = held_out
        ) -> None:
            trials.add(image, candidate, _draw_references(available, rng), held_out_caption, is_own)  # noqa: B023

        for candidate in rng.sample(
            machines[image], min(MAX_MACHINE_CAPTIONS, len(machines[image]))
        ):
            add(candidate, others, True)
        for written in (machines, people):
            # Nearer images more often than those farther off, as far as the hundredth.
            similar = int(nearest[image, int(nearest.shape[1] ** rng.random()) - 1])
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
    nearest = nearest_images(people, space)
    trials = Trials()
    for image, captions in enumerate(people):
        candidate, *others = rng.sample(captions, len(captions))
        references = _draw_references(others, rng) if number is None else others[:number]
        trials.add(image, candidate, references, "", True)
        for ranks in RANKS:
            if ranks is None:
                other = _other_image(image, len(people), rng)
            else:
                rank = rng.randrange(ranks.start, ranks.stop)
                other = int(nearest[image, min(rank, nearest.shape[1] - 1)])
            trials.add(image, rng.choice(people[other]), references, "", False)
    return trials


def nearest_images(people: Captions, space: CaptionSpace, number: int = 100) -> IntArray:
    """Return for each image the other images, nearest first, by centroids of their captions."""
    flat = [caption for captions in people for caption in captions]
    vectors = caption_vectors(Analysis(flat, "whitespace"), space, np.arange(len(flat)))
    places = centroids(vectors, offsets_of(np.array([len(captions) for captions in people])))
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


FOLDS = 5
BINS = 10
SCARCITY = "scarcity"


class CalibrationBin(NamedTuple):
    """One bin of probabilities: their mean, the observed share, and the share of all rows."""

    predicted: float
    observed: float
    share: float


@dataclass(frozen=True)
class Calibration:
    """Expected calibration error, and its bins."""

    error: float
    bins: tuple[CalibrationBin, ...]

    @classmethod
    def of(
        cls, probabilities: FloatArray, labels: FloatArray, importance: FloatArray
    ) -> Calibration:
        """Compute the expected error over ten bins; `importance` weighs the rows."""
        place = np.minimum((probabilities * BINS).astype(int), BINS - 1)
        weights = importance / importance.sum()
        bins = []
        for number in range(BINS):
            inside = place == number
            if (share := float(weights[inside].sum())) > 0:
                predicted, observed = (
                    float(np.average(values[inside], weights=weights[inside]))
                    for values in (probabilities, labels)
                )
                bins.append(CalibrationBin(predicted, observed, share))
        return cls(
            sum(each.share * abs(each.predicted - each.observed) for each in bins), tuple(bins)
        )


def combine_similarities(similarities: FloatArray) -> FloatArray:
    """Return the standardized mean of several standardized similarities."""
    mean = ((similarities - similarities.mean(axis=0)) / similarities.std(axis=0)).mean(axis=1)
    return np.asarray(mean / mean.std())


def explained_variance(
    features: FloatArray, similarity: FloatArray, images: Sequence[int]
) -> float:
    """Cross-validated R² of the similarity, over folds of images."""
    folds, errors = np.array(images) % FOLDS, np.empty(len(similarity))
    for fold in range(FOLDS):
        inside = folds != fold
        weights, constant = nonnegative_least_squares(features[inside], similarity[inside])
        errors[~inside] = similarity[~inside] - features[~inside] @ weights - constant
    return 1 - float(np.square(errors).sum() / np.square(similarity - similarity.mean()).sum())


def fit_model(
    feature_set: FeatureSet, features: FloatArray, similarity: FloatArray, contrast_trials: Trials
) -> LearnedModel:
    """Fit a model that ranks by predicted similarity and whose scores are probabilities.

    The features' weights predict similarity. Their common scale, the weight of scarcity and the
    bias turn it into the probability that a caption was written for this image rather than for
    another, with equal priors.
    """
    weights, _ = nonnegative_least_squares(features, similarity)
    is_scarcity = np.array(feature_set.columns) == SCARCITY
    others = contrast_trials.features(feature_set)
    direction = np.where(is_scarcity, 0.0, weights)
    columns = np.column_stack([others @ direction, others[:, is_scarcity]])
    (scale, *scarcity), bias = nonnegative_logistic(
        columns, contrast_trials.labels, contrast_trials.importance, penalty=0
    )
    scaled = direction * scale
    scaled[is_scarcity] = scarcity
    network = Network((np.column_stack([0 * scaled, scaled]),), (np.array([0.0, bias]),))
    # The mean features of human captions of the image, the baseline of explanations.
    usual = others[contrast_trials.labels > 0].mean(axis=0).tolist()
    return LearnedModel(feature_set, Scaling.of(feature_set, features), network, {"usual": usual})


def compute_calibration(model: LearnedModel, trials: Trials) -> Calibration:
    """Compute the calibration of a model's probabilities on trials."""
    probabilities = logistic(model.margins(trials.features(model.feature_set)))
    return Calibration.of(probabilities, trials.labels, trials.importance)


def reference_counts(trials: Trials) -> IntArray:
    """The number of references of each trial."""
    return np.array([len(references) for references in trials.references])
