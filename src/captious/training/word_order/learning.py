"""Train a word-order model: word classes, and trigram surprisals over them.

Words are clustered by the frequent words beside them; then class trigrams are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.text.word_order import END, FIRST_KNOWN, START, STEP, WordOrder, class_of_unknown_word
from captious.training.caption_space.captions import Images, count_words

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
    images: Images, own: int = SINGLE_WORD_CLASSES, classes: int = CLUSTERED_CLASSES
) -> WordOrder:
    """Train classes and surprisals, without limits (see `limits`)."""
    seen = count_words(images)
    ordered = sorted(
        (word for word in seen if seen[word] >= MIN_WORD_COUNT), key=lambda w: (-seen[w], w)
    )
    own = min(own, len(ordered))
    classes = min(classes, len(ordered) - own)
    numbers = list(range(own))
    if classes:
        with threadpool_limits(1, "blas"):
            company = context_vectors(images, ordered)[own:]
            weights = np.sqrt([seen[word] for word in ordered[own:]])
            numbers += (cluster_words(company, weights, classes) + own).tolist()
    class_of = {
        word: FIRST_KNOWN + number for word, number in sorted(zip(ordered, numbers, strict=True))
    }
    size = FIRST_KNOWN + own + classes
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
    company = left[:, :SVD_DIMENSIONS] * np.sqrt(values[:SVD_DIMENSIONS])
    lengths = np.linalg.norm(company, axis=1, keepdims=True)
    directions: FloatArray = company / np.maximum(lengths, 1e-9)
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
    threes: Counter[tuple[int, int, int]] = Counter()
    for caption in chain.from_iterable(images):
        row = to_classes(caption, class_of)
        threes.update(zip(row[:-2], row[1:-1], row[2:], strict=True))
    table = np.zeros((size, size, size))
    for key, number in threes.items():
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
