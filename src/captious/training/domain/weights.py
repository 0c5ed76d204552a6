"""The weights of a domain's `captious`, fitted to predict the unseen reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.learned.captious import CAPTIOUS, Captious
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.weights import LearnedModel
from captious.text.analysis import Analysis
from captious.text.domain import Domain
from captious.text.languages import ENGLISH
from captious.text.tokens import Tokens
from captious.training.domain.captions import CaptionSplit
from captious.training.unseen_reference.fitting import (
    Calibration,
    combine_similarities,
    compute_calibration,
    explained_variance,
    fit_model,
)
from captious.training.unseen_reference.trials import Trials, build_trials, other_image_trials

SIMILARITY_METRICS = ("consensus", "support_recall", "support_precision")

Machines = Mapping[Any, Sequence[str]]  # captions by image


@dataclass(frozen=True, eq=False)
class FittedWeights:
    """A model, the similarity that it explains, and its figures on held-out images."""

    model: LearnedModel
    trials: int
    explained_variance: float
    calibration: Calibration
    own_preferred: float  # how often the image's caption is preferred to another image's
    own_preferred_before: float | None  # the same of the weights that ship, if they can be read


def fit_weights(
    domain: Domain,
    fitted_on: CaptionSplit,
    reported: CaptionSplit,
    machines: Machines,
    tokenizer: str,
    seed: int,
) -> FittedWeights:
    """Fit on some images of a domain, and evaluate on others."""
    whole = CAPTIOUS.with_domain(domain)
    people = _join_words(fitted_on)
    written = [_tokenize(machines.get(name, ()), tokenizer) for name in fitted_on.names]
    trials = build_trials(people, written, domain.space, seed)
    chances = other_image_trials(people, domain.space, seed)
    likeness = combine_similarities(
        trials.similarities(FeatureSet.of(SIMILARITY_METRICS).with_domain(domain))
    )
    features = trials.features(whole)
    model = fit_model(whole, features, likeness, chances)
    fresh = other_image_trials(_join_words(reported), domain.space, seed)
    before = own_preferred(Captious().model(), fresh) if domain.language == ENGLISH else None
    return FittedWeights(
        model,
        len(trials),
        explained_variance(features, likeness, trials.images),
        compute_calibration(model, fresh),
        own_preferred(model, fresh),
        before,
    )


def own_preferred(model: LearnedModel, trials: Trials) -> float:
    """How often an image's own caption scores above another image's; ties count half."""
    margins: FloatArray = model.margins(trials.features(model.feature_set))
    own, images = trials.labels > 0, np.array(trials.images)
    above = dict(zip(images[own].tolist(), margins[own].tolist(), strict=True))
    mine = np.array([above[image] for image in images[~own].tolist()])
    return float(((mine > margins[~own]) + 0.5 * (mine == margins[~own])).mean())


def _join_words(part: CaptionSplit) -> list[list[str]]:
    return [[" ".join(caption) for caption in captions] for captions in part.words]


def _tokenize(captions: Sequence[str], tokenizer: str) -> list[str]:
    return [" ".join(words) for words in Analysis(list(captions), tokenizer).layer(Tokens).words]
