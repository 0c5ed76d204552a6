"""Training of the word-order model: word classes, trigram surprisals, and limits of disorder.

Words are clustered by the frequent words beside them; then class trigrams are counted. A model is
adapted to further captions by putting their unknown words into the class that makes them and their
neighbours least surprising. Disorder is weighted to distinguish human captions from shuffled,
repeating and truncated ones, and so that it is 0 for 99.5% of the human captions.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.text.analysis import Analysis
from captious.text.word_order import (
    END,
    FIRST_KNOWN,
    MIN_WORDS,
    START,
    STEP,
    WordOrder,
    class_of_unknown_word,
    disorder,
    surprisal_features,
)
from captious.training.caption_space import Images, count_words
from captious.training.nonnegative import nonnegative_logistic

MIN_WORD_COUNT = 5  # of words that are assigned a class
SINGLE_WORD_CLASSES, CLUSTERED_CLASSES = (
    40,
    56,
)  # frequent words that have a class to themselves, classes of all others
CONTEXT_WORDS = 400  # frequent words whose co-occurrence describes a word
SVD_DIMENSIONS = 60  # of the context vectors
KMEANS_ROUNDS = 30
FEATURES = 4  # of a caption's order


def learn_order(
    images: Images, single_word_classes: int = SINGLE_WORD_CLASSES, classes: int = CLUSTERED_CLASSES
) -> WordOrder:
    """Train classes and surprisals, without limits (see `limits`)."""
    seen = count_words(images)
    ordered = sorted(
        (word for word in seen if seen[word] >= MIN_WORD_COUNT), key=lambda w: (-seen[w], w)
    )
    single_word_classes = min(single_word_classes, len(ordered))
    classes = min(classes, len(ordered) - single_word_classes)
    numbers = list(range(single_word_classes))
    if classes:
        with threadpool_limits(1, "blas"):
            contexts = context_vectors(images, ordered)[single_word_classes:]
            weights = np.sqrt([seen[word] for word in ordered[single_word_classes:]])
            numbers += (cluster_words(contexts, weights, classes) + single_word_classes).tolist()
    class_of = {
        word: FIRST_KNOWN + number for word, number in sorted(zip(ordered, numbers, strict=True))
    }
    size = FIRST_KNOWN + single_word_classes + classes
    shares = trigram_probabilities(count_trigrams(images, class_of, size))
    return WordOrder.of(class_of, to_surprisal_bytes(shares), np.zeros(FEATURES + 1))


def context_vectors(images: Images, words: Sequence[str]) -> FloatArray:
    """Return one row per word: positive PMI with frequent words before and after it, by SVD."""
    row = {word: place for place, word in enumerate(words)}
    beside = {word: place for place, word in enumerate(words[:CONTEXT_WORDS])}
    edge = len(beside)  # of the caption
    table = np.zeros((len(words), 2, edge + 1))
    for caption in chain.from_iterable(images):
        last = len(caption) - 1
        for place, word in enumerate(caption):
            if word not in row:
                continue
            before = beside.get(caption[place - 1]) if place else edge
            after = beside.get(caption[place + 1]) if place < last else edge
            if before is not None:
                table[row[word], 0, before] += 1
            if after is not None:
                table[row[word], 1, after] += 1
    flat = table.reshape(len(words), -1)
    expected = flat.sum(axis=1, keepdims=True) * flat.sum(axis=0) / flat.sum()
    associated = np.log(np.maximum((flat + 1e-9) / (expected + 1e-9), 1.0))
    left, values, _ = np.linalg.svd(associated, full_matrices=False)
    contexts = left[:, :SVD_DIMENSIONS] * np.sqrt(values[:SVD_DIMENSIONS])
    lengths = np.linalg.norm(contexts, axis=1, keepdims=True)
    directions: FloatArray = contexts / np.maximum(lengths, 1e-9)
    return directions


def cluster_words(rows: FloatArray, weights: FloatArray, classes: int) -> IntArray:
    """Return the class of each row, by weighted spherical k-means."""
    centres = rows[:classes].copy()  # the most frequent words
    for _ in range(KMEANS_ROUNDS):
        nearest = (rows @ centres.T).argmax(axis=1)
        for number in range(classes):
            inside = nearest == number
            if inside.any():
                mean = (rows[inside] * weights[inside, None]).sum(axis=0)
                centres[number] = mean / max(np.linalg.norm(mean), 1e-9)
    result: IntArray = (rows @ centres.T).argmax(axis=1)
    return result


def count_trigrams(images: Images, class_of: Mapping[str, int], size: int) -> FloatArray:
    """Count how often each class follows two others, including captions' starts and ends."""
    trigram_counts: Counter[tuple[int, int, int]] = Counter()
    for caption in chain.from_iterable(images):
        row = to_classes(caption, class_of)
        trigram_counts.update(zip(row[:-2], row[1:-1], row[2:], strict=True))
    table = np.zeros((size, size, size))
    for key, number in trigram_counts.items():
        table[key] = number
    return table


def to_classes(caption: Sequence[str], class_of: Mapping[str, int]) -> list[int]:
    """Return a caption's classes between two start symbols and an end symbol."""
    inside = (class_of.get(word) or class_of_unknown_word(word) for word in caption)
    return [START, START, *inside, END]


def trigram_probabilities(table: FloatArray) -> FloatArray:
    """Return each class's probability after two others, with Witten-Bell smoothing.

    Trigram probabilities are interpolated with bigram and unigram ones, the more so the fewer
    trigrams were seen and the more different ones there were.
    """
    shares = np.full(len(table), 1 / len(table))
    for counted in (table.sum(axis=(0, 1)), table.sum(axis=0), table):
        shares = smooth(counted, shares)
    return shares


def smooth(counted: FloatArray, shares: FloatArray) -> FloatArray:
    """Interpolate relative frequencies with probabilities of a shorter context, or prior ones."""
    different = (counted > 0).sum(axis=-1, keepdims=True)
    # Where nothing was counted, the probabilities of the shorter context remain.
    different = np.maximum(different, 1)
    result: FloatArray = (counted + different * shares) / (
        counted.sum(axis=-1, keepdims=True) + different
    )
    return result


def to_surprisal_bytes(shares: FloatArray) -> npt.NDArray[np.uint8]:
    """Return negative log-probabilities, quantized to bytes."""
    surprise: FloatArray = np.minimum(np.rint(-np.log(np.maximum(shares, 1e-12)) / STEP), 255)
    return surprise.astype(np.uint8)


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
    neighbours: dict[str, list[list[int]]] = defaultdict(list)  # two classes before, two after
    for caption in chain.from_iterable(images):
        row = to_classes(caption, order.class_of)
        row.append(row[-1])  # beyond the end
        for place, word in enumerate(caption, start=2):
            if word in new:
                neighbours[word].append([row[place + step] for step in (-2, -1, 1, 2)])
    table = order.surprise.astype(np.int64)
    return {word: _least_surprising(table, np.array(neighbours[word])) for word in sorted(new)}


def _least_surprising(table: IntArray, neighbours: IntArray) -> int:
    """The class with the lowest total surprisal at its positions and those after it."""
    two_before, before, after, two_after = neighbours.T
    total = table[two_before, before].sum(axis=0) + table[before, :, after].sum(axis=0)
    # Behind the last word there is one end, and nothing follows it.
    follows = after != END
    total = total + table[:, after[follows], two_after[follows]].sum(axis=1)
    return FIRST_KNOWN + int(total[FIRST_KNOWN:].argmin())


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
    variants = make_variants(captions)
    long_captions = variants.pop(PEOPLE)
    if len(long_captions) < MIN_CAPTIONS:
        return order
    people = order_features(long_captions, order)
    corrupted = [order_features(group, order) for group in variants.values()]
    features = np.concatenate([people, *corrupted])
    labels = np.repeat([0.0] + [1.0] * len(corrupted), len(long_captions))
    weights, _ = nonnegative_logistic(features, labels, np.where(labels > 0, 1, len(corrupted)))
    limit = float(np.quantile(people @ weights, 1 - MAX_FLAGGED_SHARE))
    return WordOrder.of(order.class_of, order.surprise, np.append(weights, limit))


def measure_disorder(order: WordOrder, captions: Sequence[Caption]) -> dict[str, DisorderRate]:
    """Measure disorder of human captions and of corrupted ones, by kind."""
    rates = {}
    for name, group in make_variants(captions).items():
        excess = disorder(_analysis(group), order)
        rates[name] = DisorderRate(float((excess > 0).mean()), float(excess.mean()))
    return rates


def make_variants(captions: Sequence[Caption]) -> dict[str, list[Caption]]:
    """Return the captions that are long enough, and corrupted versions of them, by kind."""
    rng = random.Random(0)
    long_captions = [caption for caption in captions if len(caption) > MAX_SHORT_WORDS]
    corrupted = {
        name: [worsen(each, rng) for each in long_captions] for name, worsen in CORRUPTIONS.items()
    }
    return {PEOPLE: long_captions, **corrupted}


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
