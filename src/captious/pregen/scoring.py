"""Scoring: any of the 504 metrics in one pass, and single captions in each form of two tiers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.metrics.parameters import VARIANTS
from captious.pregen.names import (
    BEST,
    FILTER_TIER,
    SENTENCE_TIER,
    MetricNames,
    PregenMetric,
    check_variant,
    select,
)
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.tiers import AGGREGATES, FILTERS, SENTENCES, Groups, Scores, SelectedWords


@check_arguments
def pregen_scores(
    words: WordProbabilities, metrics: MetricNames = None, *, variant: str = "paper"
) -> dict[str, float]:
    """The value of each metric by name: `metrics` are names, patterns, `perplexity` or `all`.

    Infinite and zero values are part of some definitions, and never an error.
    """
    selected_metrics, tiers = select(metrics), Tiers(words, variant)
    return {metric.name: tiers.value(metric) for metric in selected_metrics}


@check_arguments
def pregen_score(words: WordProbabilities, metric: str = BEST, *, variant: str = "paper") -> float:
    """The value of one metric; without a name, of the best one in the paper."""
    return Tiers(words, variant).value(select(metric)[0])


class Tiers:
    """Results of each tier for word probabilities, each cached for the tiers above."""

    @check_arguments
    def __init__(self, words: WordProbabilities, variant: str = "paper") -> None:
        check_variant(variant)
        self.words, self.variant = words, variant
        self._selected: dict[str, SelectedWords] = {}
        self._sentences: dict[tuple[str, str], Groups] = {}
        self._images: dict[tuple[str, str, str], Groups] = {}

    @cached_property
    def _word_scores(self) -> Scores:
        return Scores(values=lambda: self.words.probabilities)

    def selected(self, name: str) -> SelectedWords:
        """Tier 1: the words that a filter lets through."""
        if name not in self._selected:
            mask = FILTERS[name](self.words, self.variant)
            self._selected[name] = SelectedWords(self.words, mask, self._word_scores)
        return self._selected[name]

    def sentences(self, function: str, filter: str) -> FloatArray:
        """Tier 2: one number for each caption."""
        return self._by_image(function, filter).scores.values

    def images(self, image: str, function: str, filter: str) -> FloatArray:
        """Tier 3: one number for each image, or with `join` still one for each caption."""
        return self._dataset_group(image, function, filter).scores.values

    def value(self, metric: PregenMetric) -> float:
        """Tier 4: one number for the data set."""
        group = self._dataset_group(metric.image, metric.sentence, metric.filter)
        return float(AGGREGATES[metric.dataset](group).values[0])

    def _by_image(self, function: str, filter: str) -> Groups:
        """The scores of captions, grouped by image."""
        key = function, filter
        if key not in self._sentences:
            scores = SENTENCES[function](self.selected(filter))
            self._sentences[key] = Groups(scores, self.words.image_offsets)
        return self._sentences[key]

    def _dataset_group(self, image: str, function: str, filter: str) -> Groups:
        """The scores of images, in the one group that is the data set."""
        key = image, function, filter
        if key not in self._images:
            captions = self._by_image(function, filter)
            if image == "join":
                scores, size = captions.scores, self.words.n_captions
            else:
                scores, size = AGGREGATES[image](captions), self.words.n_images
            self._images[key] = Groups(scores, np.array([0, size]))
        return self._images[key]


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
