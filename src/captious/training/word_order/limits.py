"""Limits of disorder: weights that distinguish human captions from corrupted ones.

Disorder is weighted to distinguish human captions from shuffled, repeating and truncated ones, and
so that it is 0 for 99.5% of the human captions.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.text.analysis import Analysis
from captious.text.word_order import MIN_WORDS, WordOrder, disorder, surprisal_features
from captious.training.nonnegative import nonnegative_logistic

MAX_SHORT_WORDS = 4  # captions of so few words are ignored
MIN_CAPTIONS = 100  # longer ones; with fewer, no limits are fitted
MAX_FLAGGED_SHARE = 0.005  # of human captions
PEOPLE = "people"

Caption = list[str]


class DisorderRate(NamedTuple):
    """The share of captions above the limit, and the mean excess over all captions."""

    share: float
    mean: float


def fit_limits(order: WordOrder, captions: Sequence[Caption]) -> WordOrder:
    """Return the model with weights and limit fitted on captions that it was not trained on.

    Where hardly any caption is long enough to have an order, no caption exceeds the limit.
    """
    made = make_variants(captions)
    whole = made.pop(PEOPLE)
    if len(whole) < MIN_CAPTIONS:
        return order
    people = order_features(whole, order)
    worse = [order_features(several, order) for several in made.values()]
    features = np.concatenate([people, *worse])
    labels = np.repeat([0.0] + [1.0] * len(worse), len(whole))
    weights, _ = nonnegative_logistic(features, labels, np.where(labels > 0, 1, len(worse)))
    usual = float(np.quantile(people @ weights, 1 - MAX_FLAGGED_SHARE))
    return WordOrder.of(order.class_of, order.surprise, np.append(weights, usual))


def measure_disorder(order: WordOrder, captions: Sequence[Caption]) -> dict[str, DisorderRate]:
    """Measure disorder of human captions and of corrupted ones, by kind."""
    found = {}
    for name, several in make_variants(captions).items():
        beyond = disorder(_analysis(several), order)
        found[name] = DisorderRate(float((beyond > 0).mean()), float(beyond.mean()))
    return found


def make_variants(captions: Sequence[Caption]) -> dict[str, list[Caption]]:
    """Return the captions that are long enough, and corrupted versions of them, by kind."""
    rng = random.Random(0)
    whole = [caption for caption in captions if len(caption) > MAX_SHORT_WORDS]
    made = {name: [worsen(each, rng) for each in whole] for name, worsen in CORRUPTIONS.items()}
    return {PEOPLE: whole, **made}


def order_features(captions: Sequence[Caption], order: WordOrder) -> FloatArray:
    """Return the four surprisal features of each caption."""
    return surprisal_features(_analysis(captions), order)


def _analysis(captions: Sequence[Caption]) -> Analysis:
    return Analysis([" ".join(words) for words in captions], "whitespace")


def shuffle_words(words: Caption, rng: random.Random) -> Caption:
    """Return the same words in random order."""
    return rng.sample(words, len(words))


def repeat_words(words: Caption, rng: random.Random) -> Caption:
    """Repeat one to four consecutive words two to four times."""
    size = rng.randint(1, 4)
    start = rng.randrange(len(words) - size + 1)
    end = start + size
    return words[:start] + words[start:end] * rng.randint(2, 4) + words[end:]


def truncate_words(words: Caption, rng: random.Random) -> Caption:
    """Return only the beginning."""
    return words[: rng.randint(MIN_WORDS, len(words) - 1)]


CORRUPTIONS = {"shuffled": shuffle_words, "said again": repeat_words, "broken off": truncate_words}
