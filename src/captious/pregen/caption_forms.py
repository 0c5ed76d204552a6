"""Caption forms: one caption's score in every form that the tiers of words and captions allow."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.metrics.variants import VARIANTS
from captious.pregen.names import FILTER_TIER, SENTENCE_TIER
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import Tiers

# The filter that the variants define differently; it has forms for both.
VARIANT_FILTER = "filter0"
RELEASED = "_released"


@check_arguments
def caption_forms(words: WordProbabilities) -> dict[str, FloatArray]:
    """Each caption's score by form, such as `normcount_prefix0`, in the captions' order.

    Forms with `_released` at the end select the words that were *not* ranked first.
    """
    tiers = {variant: Tiers(words, variant) for variant in VARIANTS}
    forms = {
        f"{sentence}_{filter}": tiers["paper"].sentences(sentence, filter)
        for filter, sentence in product(FILTER_TIER, SENTENCE_TIER)
    }
    for sentence in SENTENCE_TIER:
        values = tiers["released"].sentences(sentence, VARIANT_FILTER)
        forms[f"{sentence}_{VARIANT_FILTER}{RELEASED}"] = values
    return forms


@check_arguments
def log_probabilities(words: WordProbabilities) -> FloatArray:
    """The natural logarithm of each caption's probability; minus infinity if a word has none."""
    with np.errstate(divide="ignore"):
        logs = np.log(words.probabilities)
    summed: FloatArray = np.add.reduceat(logs, words.caption_offsets[:-1])
    return summed


def log_priors(logs_by_image: Mapping[str, FloatArray]) -> FloatArray:
    """The logarithm of each caption's mean probability over images; each image has all captions."""
    if not logs_by_image:
        raise InputError("no images to take the mean over")
    logs = np.stack(list(logs_by_image.values()))
    highest = logs.max(axis=0)
    scale = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        priors: FloatArray = scale + np.log(np.exp(logs - scale).mean(axis=0))
    return priors
