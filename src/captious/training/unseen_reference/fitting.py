"""Weights that predict a candidate's similarity to the unseen reference, and their calibration.

Similarity is the mean of several standardized measures. No human judgement is used: feature sets
are compared by how well they predict the unseen reference of images that they were not fitted on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.logistic import logistic
from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.network import Network
from captious.metrics.learned.scaling import Scaling
from captious.metrics.learned.weights import LearnedModel
from captious.training.nonnegative import nonnegative_least_squares, nonnegative_logistic
from captious.training.unseen_reference.trials import Trials

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
    def of(cls, chances: FloatArray, labels: FloatArray, importance: FloatArray) -> Calibration:
        """Compute the expected error over ten bins; `importance` weighs the rows."""
        place = np.minimum((chances * BINS).astype(int), BINS - 1)
        weights = importance / importance.sum()
        bins = []
        for number in range(BINS):
            inside = place == number
            if (share := float(weights[inside].sum())) > 0:
                predicted, observed = (
                    float(np.average(values[inside], weights=weights[inside]))
                    for values in (chances, labels)
                )
                bins.append(CalibrationBin(predicted, observed, share))
        return cls(
            sum(each.share * abs(each.predicted - each.observed) for each in bins), tuple(bins)
        )


def combine_similarities(likenesses: FloatArray) -> FloatArray:
    """Return the standardized mean of several standardized similarities."""
    single = ((likenesses - likenesses.mean(axis=0)) / likenesses.std(axis=0)).mean(axis=1)
    return np.asarray(single / single.std())


def explained_variance(features: FloatArray, likeness: FloatArray, images: Sequence[int]) -> float:
    """Cross-validated R² of the similarity, over folds of images."""
    folds, errors = np.array(images) % FOLDS, np.empty(len(likeness))
    for fold in range(FOLDS):
        inside = folds != fold
        weights, constant = nonnegative_least_squares(features[inside], likeness[inside])
        errors[~inside] = likeness[~inside] - features[~inside] @ weights - constant
    return 1 - float(np.square(errors).sum() / np.square(likeness - likeness.mean()).sum())


def fit_model(
    whole: FeatureSet, features: FloatArray, likeness: FloatArray, chances: Trials
) -> LearnedModel:
    """Fit a model that ranks by predicted similarity and whose scores are probabilities.

    The features' weights predict similarity. Their common scale, the weight of scarcity and the
    bias turn it into the probability that a caption was written for this image rather than for
    another, with equal priors.
    """
    weights, _ = nonnegative_least_squares(features, likeness)
    is_scarcity = np.array(whole.columns) == SCARCITY
    others = chances.features(whole)
    direction = np.where(is_scarcity, 0.0, weights)
    columns = np.column_stack([others @ direction, others[:, is_scarcity]])
    (scale, *scarcity), bias = nonnegative_logistic(
        columns, chances.labels, chances.importance, penalty=0
    )
    scaled = direction * scale
    scaled[is_scarcity] = scarcity
    network = Network((np.column_stack([0 * scaled, scaled]),), (np.array([0.0, bias]),))
    # The mean features of human captions of the image, the baseline of explanations.
    usual = others[chances.labels > 0].mean(axis=0).tolist()
    return LearnedModel(whole, Scaling.of(whole, features), network, {"usual": usual})


def compute_calibration(model: LearnedModel, trials: Trials) -> Calibration:
    """Compute the calibration of a model's probabilities on trials."""
    chances = logistic(model.margins(trials.features(model.feature_set)))
    return Calibration.of(chances, trials.labels, trials.importance)


def reference_counts(trials: Trials) -> IntArray:
    """The number of references of each trial."""
    return np.array([len(references) for references in trials.references])
