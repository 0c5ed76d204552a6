"""Pathological captions: LEIC's three transformations, each with a strength from 0 to 100 %.

- `random_caption`: a human caption of another image, drawn from the strength % of the images whose
  features lie nearest (cosine).
- `word_permutation`: strength % of the words change places among themselves.
- `random_word`: strength % of the words give way to others, drawn evenly from the vocabulary of all
  captions.

Of words, at least two change; at 100 % all. Strength 0 is the human caption itself. A caption whose
words are all alike, or one word alone, has no permutation but itself.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from captious.errors import InputError
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.ragged import FloatArray, IntArray, Ragged

TRANSFORMATIONS = ("random_caption", "word_permutation", "random_word")
STRENGTHS = tuple(range(0, 101, 10))  # per cent
FEWEST_WORDS = 2
TRIES = 20  # draws of a permutation for captions that came out unchanged
IMAGES_AT_ONCE = 512  # bounds memory


def pathological_captions(
    data: CaptionedImages, kind: str, strengths: tuple[int, ...] = STRENGTHS, seed: int = 0
) -> list[list[str]]:
    """Every caption under one transformation, one list for each strength."""
    if kind not in TRANSFORMATIONS:
        raise InputError(
            f"unknown transformation {kind!r}; choose one of: {', '.join(TRANSFORMATIONS)}"
        )
    for strength in strengths:
        if not 0 <= strength <= 100:
            raise InputError(f"a strength lies between 0 and 100 %, not {strength}")
    nearest = nearest_images(data.features) if kind == "random_caption" else np.empty(0)
    made: list[list[str]] = []
    for strength in strengths:
        rng = np.random.default_rng([seed, TRANSFORMATIONS.index(kind), strength])
        if strength == 0:
            made.append(list(data.texts))
        elif kind == "random_caption":
            made.append(random_captions(data, nearest, strength, rng))
        elif kind == "word_permutation":
            made.append(_texts(data, permuted_words(data.words, strength, rng)))
        else:
            size = len(data.vocabulary)
            made.append(_texts(data, replaced_words(data.words, size, strength, rng)))
    return made


def nearest_images(features: FloatArray | None) -> IntArray:
    """For each image all others, the most alike by the cosine of their features first."""
    if features is None:
        raise InputError(
            "captions of other images need image features: put efficientnet_lite2.npz into the "
            "folder of data, or give `features`"
        )
    if len(features) < 2:
        raise InputError("captions of other images need two images or more")
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    unit = features / np.where(lengths > 0, lengths, 1)
    parts: list[IntArray] = []
    for start in range(0, len(unit), IMAGES_AT_ONCE):
        likeness = unit[start : start + IMAGES_AT_ONCE] @ unit.T
        own = np.arange(len(likeness))
        likeness[own, own + start] = -np.inf  # sorts last, and is cut off
        order = np.argsort(-likeness, axis=1, kind="stable")[:, :-1]
        parts.append(order.astype(np.int32))
    return np.concatenate(parts)


def random_captions(
    data: CaptionedImages, nearest: IntArray, strength: int, rng: np.random.Generator
) -> list[str]:
    """For each caption, one of an image among the nearest."""
    choice = max(1, -(-nearest.shape[1] * strength // 100))
    images = nearest[data.images, rng.integers(choice, size=len(data))]
    counts = np.array([len(rows) for rows in data.rows_of_image])
    places = rng.integers(counts[images])
    return [
        data.texts[data.rows_of_image[image][place]]
        for image, place in zip(images.tolist(), places.tolist(), strict=True)
    ]


def permuted_words(words: Ragged, strength: int | IntArray, rng: np.random.Generator) -> Ragged:
    """Captions with some of their words in each other's places; each of those moves.

    The strength is one for all or one for each caption.
    """
    strengths = np.broadcast_to(strength, len(words))
    changed = _shifted(words, strengths, rng)
    for _ in range(TRIES):
        # Equal words in each other's places change nothing: such captions are drawn again.
        differs = np.add.reduceat(changed != words.values, words.offsets[:-1]) > 0
        same = np.flatnonzero(~differs)
        if not len(same):
            break
        again = words.take(same)
        places = Ragged(np.arange(len(words.values)), words.offsets).take(same).values
        changed[places] = _shifted(again, strengths[same], rng)
    return Ragged(changed, words.offsets)


def _shifted(words: Ragged, strengths: IntArray, rng: np.random.Generator) -> IntArray:
    """The chosen words of every caption moved one place on in a circle of random order."""
    places, owners = _chosen(words, strengths, rng)
    first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
    last = np.r_[first[1:], len(owners)] - 1
    before = np.arange(len(places)) - 1
    before[first] = last
    changed = words.values.copy()
    changed[places] = words.values[places[before]]
    return changed


def replaced_words(
    words: Ragged, size: int, strength: int | IntArray, rng: np.random.Generator
) -> Ragged:
    """Captions with some of their words replaced by any other of a vocabulary of this size."""
    if size < 2:
        raise InputError("words need others to be replaced by; the captions have but one")
    places, _ = _chosen(words, np.broadcast_to(strength, len(words)), rng)
    changed = words.values.copy()
    changed[places] = (changed[places] + rng.integers(1, size, size=len(places))) % size
    return Ragged(changed, words.offsets)


def _chosen(
    words: Ragged, strengths: IntArray, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Places of words to change in random order, caption by caption, and their captions."""
    owners, lengths = words.owners, words.lengths
    order = np.lexsort((rng.random(len(owners)), owners))
    rank = np.arange(len(owners)) - words.offsets[owners]  # in the random order
    wanted = np.minimum(np.maximum((lengths * strengths + 50) // 100, FEWEST_WORDS), lengths)
    kept = rank < wanted[owners]
    return order[kept], owners[kept]


def _texts(data: CaptionedImages, words: Ragged) -> list[str]:
    flat = np.array(data.vocabulary, dtype=object)[words.values].tolist()
    bounds = words.offsets.tolist()
    return [" ".join(flat[start:end]) for start, end in pairwise(bounds)]
