"""Weights that foretell a candidate's likeness to the unseen reference, and what they are worth.

Likeness is seen in several ways, each brought to the same spread and counted once. Nothing here
looks at what people said of captions: sets of features are compared by how well they foretell the
unseen reference of images that they were not fitted on.
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
    """Of chances between two tenths: their mean, the share that was right, the share of all."""

    predicted: float
    observed: float
    share: float


@dataclass(frozen=True)
class Calibration:
    """How far chances are from the truth."""

    error: float
    bins: tuple[CalibrationBin, ...]

    @classmethod
    def of(cls, chances: FloatArray, labels: FloatArray, importance: FloatArray) -> Calibration:
        """The expected error over ten bins; `importance` weighs the rows."""
        place = np.minimum((chances * BINS).astype(int), BINS - 1)
        weights = importance / importance.sum()
        bins = []
        for number in range(BINS):
            inside = place == number
            if (share := float(weights[inside].sum())) > 0:
                said, true = (
                    float(np.average(values[inside], weights=weights[inside]))
                    for values in (chances, labels)
                )
                bins.append(CalibrationBin(said, true, share))
        return cls(
            sum(each.share * abs(each.predicted - each.observed) for each in bins), tuple(bins)
        )


def combine_similarities(likenesses: FloatArray) -> FloatArray:
    """One likeness from several: their mean, each at the same spread; its own spread is 1."""
    single = ((likenesses - likenesses.mean(axis=0)) / likenesses.std(axis=0)).mean(axis=1)
    return np.asarray(single / single.std())


def explained_variance(features: FloatArray, likeness: FloatArray, images: Sequence[int]) -> float:
    """The share of likeness's variance that is foretold, of images that were not fitted on."""
    folds, errors = np.array(images) % FOLDS, np.empty(len(likeness))
    for fold in range(FOLDS):
        inside = folds != fold
        weights, constant = nonnegative_least_squares(features[inside], likeness[inside])
        errors[~inside] = likeness[~inside] - features[~inside] @ weights - constant
    return 1 - float(np.square(errors).sum() / np.square(likeness - likeness.mean()).sum())


def fit_model(
    whole: FeatureSet, features: FloatArray, likeness: FloatArray, chances: Trials
) -> LearnedModel:
    """A model whose order is that of the foretold likeness, and whose scores are chances.

    The features' weights are those that foretell likeness. Their common scale, the weight of
    scarcity and the bias make of it the chance that a caption was written for this image rather
    than for another, both being equally likely before.
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
    # What people's captions of the image have on average: explanations begin there.
    usual = others[chances.labels > 0].mean(axis=0).tolist()
    return LearnedModel(whole, Scaling.of(whole, features), network, {"usual": usual})


def compute_calibration(model: LearnedModel, trials: Trials) -> Calibration:
    """How well a model's chances hold for some trials."""
    chances = logistic(model.margins(trials.features(model.feature_set)))
    return Calibration.of(chances, trials.labels, trials.importance)


def reference_counts(trials: Trials) -> IntArray:
    """How many references each trial has."""
    return np.array([len(references) for references in trials.references])
