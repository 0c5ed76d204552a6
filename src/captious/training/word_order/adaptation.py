"""Adapt a word-order model to further captions.

Unknown words join the class that makes them and their neighbours least surprising; then trigrams
are counted in the captions and smoothed with the previous probabilities.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.text.word_order import END, FIRST_KNOWN, STEP, WordOrder
from captious.training.caption_space.captions import Images, count_words
from captious.training.word_order.learning import (
    MIN_WORD_COUNT,
    count_trigrams,
    smooth,
    to_classes,
    to_surprisal_bytes,
)


def adapt_order(order: WordOrder, images: Images) -> WordOrder:
    """Return the model with further words and the captions' own surprisals; limits stay."""
    class_of = {**order.class_of, **classify_new_words(order, images)}
    class_of = dict(sorted(class_of.items()))
    known: FloatArray = np.exp(-STEP * order.surprise.astype(np.float64))
    known /= known.sum(axis=-1, keepdims=True)
    counted = count_trigrams(images, class_of, len(known))
    return WordOrder.of(class_of, to_surprisal_bytes(smooth(counted, known)), order.limits)


def classify_new_words(order: WordOrder, images: Images) -> dict[str, int]:
    """Choose a class for each frequent word that the model does not know."""
    seen = count_words(images)
    new = {word for word in seen if seen[word] >= MIN_WORD_COUNT and word not in order.class_of}
    around: dict[str, list[list[int]]] = defaultdict(list)  # two classes before, two after
    for caption in chain.from_iterable(images):
        row = to_classes(caption, order.class_of)
        row.append(row[-1])  # beyond the end
        for place, word in enumerate(caption, start=2):
            if word in new:
                around[word].append([row[place + step] for step in (-2, -1, 1, 2)])
    table = order.surprise.astype(np.int64)
    return {word: _least_surprising(table, np.array(around[word])) for word in sorted(new)}


def _least_surprising(table: IntArray, around: IntArray) -> int:
    """The class with the lowest total surprisal at its positions and those after it."""
    two_before, before, after, two_after = around.T
    total = table[two_before, before].sum(axis=0) + table[before, :, after].sum(axis=0)
    # Behind the last word there is one end, and nothing follows it.
    follows = after != END
    total = total + table[:, after[follows], two_after[follows]].sum(axis=1)
    return FIRST_KNOWN + int(total[FIRST_KNOWN:].argmin())
