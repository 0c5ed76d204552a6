"""The weights of a domain's `captious`, fitted to foretell the unseen reference."""

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
from captious.training.domain.captions import Part
from captious.training.unseen_reference.fitting import (
    Calibration,
    calibration_of,
    fitted,
    foretold,
    likeness_of,
)
from captious.training.unseen_reference.trials import Trials, by_other_images, trials_of

LIKENESSES = ("consensus", "support_recall", "support_precision")

Machines = Mapping[Any, Sequence[str]]  # captions by image


@dataclass(frozen=True, eq=False)
class Weighed:
    """A model, how much of likeness it foretells, and how it does on images it did not see."""

    model: LearnedModel
    trials: int
    foretold: float
    calibration: Calibration
    own_preferred: float  # how often the image's caption is preferred to another image's
    own_preferred_before: float | None  # the same of the weights that ship, if they can be read


def weigh(
    domain: Domain,
    fitted_on: Part,
    reported: Part,
    machines: Machines,
    tokenizer: str,
    seed: int,
) -> Weighed:
    """Fit on some images of a domain, and measure on others."""
    whole = CAPTIOUS.within(domain)
    people = _joined(fitted_on)
    written = [_tokenised(machines.get(name, ()), tokenizer) for name in fitted_on.names]
    trials = trials_of(people, written, domain.space, seed)
    chances = by_other_images(people, domain.space, seed)
    likeness = likeness_of(trials.likenesses(FeatureSet.of(LIKENESSES).within(domain)))
    features = trials.features(whole)
    model = fitted(whole, features, likeness, chances)
    fresh = by_other_images(_joined(reported), domain.space, seed)
    before = own_preferred(Captious().model(), fresh) if domain.language == ENGLISH else None
    return Weighed(
        model,
        len(trials),
        foretold(features, likeness, trials.images),
        calibration_of(model, fresh),
        own_preferred(model, fresh),
        before,
    )


def own_preferred(model: LearnedModel, trials: Trials) -> float:
    """How often the caption written for an image is above one of another; ties count half."""
    margins: FloatArray = model.margins(trials.features(model.feature_set))
    own, images = trials.labels > 0, np.array(trials.images)
    above = dict(zip(images[own].tolist(), margins[own].tolist(), strict=True))
    mine = np.array([above[image] for image in images[~own].tolist()])
    return float(((mine > margins[~own]) + 0.5 * (mine == margins[~own])).mean())


def _joined(part: Part) -> list[list[str]]:
    return [[" ".join(caption) for caption in captions] for captions in part.words]


def _tokenised(captions: Sequence[str], tokenizer: str) -> list[str]:
    return [" ".join(words) for words in Analysis(list(captions), tokenizer).layer(Tokens).words]
