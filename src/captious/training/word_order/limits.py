"""How much disorder is usual: weights that tell people's captions from worsened ones.

How far a caption goes beyond the usual is weighed so that people's captions are told from shuffled,
repeating and broken-off ones, and so that it is 0 for 99.5 % of people's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.text.analysis import Analysis
from captious.text.word_order import FEWEST, WordOrder, disorder, surprises
from captious.training.nonnegative import nonnegative_logistic

MAX_SHORT_WORDS = 4  # captions of so few words say little of order
MIN_CAPTIONS = 100  # fewer that are longer say nothing of what is usual
MAX_FLAGGED_SHARE = 0.005  # share of people's captions that may be taken for disordered
PEOPLE = "people"

Caption = list[str]


class DisorderRate(NamedTuple):
    """The share of captions that go beyond the usual, and by how much all do on average."""

    share: float
    mean: float


def fit_limits(order: WordOrder, captions: Sequence[Caption]) -> WordOrder:
    """The same order with weights and what is usual, from captions that it was not learned from.

    Where hardly any caption is long enough to have an order, none goes beyond the usual.
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
    """How people's captions and worsened ones do, by kind."""
    found = {}
    for name, several in make_variants(captions).items():
        beyond = disorder(_analysis(several), order)
        found[name] = DisorderRate(float((beyond > 0).mean()), float(beyond.mean()))
    return found


def make_variants(captions: Sequence[Caption]) -> dict[str, list[Caption]]:
    """The captions that are long enough, and what becomes of them when they are worsened."""
    rng = random.Random(0)
    whole = [caption for caption in captions if len(caption) > MAX_SHORT_WORDS]
    made = {name: [worsen(each, rng) for each in whole] for name, worsen in CORRUPTIONS.items()}
    return {PEOPLE: whole, **made}


def order_features(captions: Sequence[Caption], order: WordOrder) -> FloatArray:
    """The four numbers of each caption."""
    return surprises(_analysis(captions), order)


def _analysis(captions: Sequence[Caption]) -> Analysis:
    return Analysis([" ".join(words) for words in captions], "whitespace")


def shuffle_words(words: Caption, rng: random.Random) -> Caption:
    """The same words in another order."""
    return rng.sample(words, len(words))


def repeat_words(words: Caption, rng: random.Random) -> Caption:
    """One to four words, wherever they stand, said two to four times."""
    size = rng.randint(1, 4)
    start = rng.randrange(len(words) - size + 1)
    end = start + size
    return words[:start] + words[start:end] * rng.randint(2, 4) + words[end:]


def truncate_words(words: Caption, rng: random.Random) -> Caption:
    """The beginning alone."""
    return words[: rng.randint(FEWEST, len(words) - 1)]


CORRUPTIONS = {"shuffled": shuffle_words, "said again": repeat_words, "broken off": truncate_words}
