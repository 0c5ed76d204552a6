"""Pathological captions: LEIC's three transformations, each with a strength from 0 to 100%.

- `random_caption`: a human caption of another image, drawn from the strength % of the images whose
  features lie nearest (cosine).
- `word_permutation`: strength % of the words change places among themselves.
- `random_word`: strength % of the words give way to others, drawn evenly from the vocabulary of all
  captions.

Of words, at least two change; at 100% all. Strength 0 is the human caption itself. A caption whose
words are all alike, or one word alone, has no permutation but itself.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_choice
from captious.errors import InputError
from captious.images.vectors import nearest_images
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.text.transformations import TRANSFORMATIONS, permute_words, replace_words

STRENGTHS = tuple(range(0, 101, 10))  # per cent


def pathological_captions(
    data: CaptionedImages, kind: str, strengths: tuple[int, ...] = STRENGTHS, seed: int = 0
) -> list[list[str]]:
    """Every caption under one transformation, one list for each strength."""
    check_choice("unknown transformation", kind, TRANSFORMATIONS)
    for strength in strengths:
        if not 0 <= strength <= 100:
            raise InputError(f"a strength lies between 0 and 100%, not {strength}")
    nearest = nearest_images(data.features) if kind == "random_caption" else np.empty(0)
    made: list[list[str]] = []
    for strength in strengths:
        rng = np.random.default_rng([seed, TRANSFORMATIONS.index(kind), strength])
        if strength == 0:
            made.append(list(data.texts))
        elif kind == "random_caption":
            made.append(random_captions(data, nearest, strength, rng))
        else:
            made.append(other_words(data, kind, strength, rng))
    return made


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


def other_words(
    data: CaptionedImages, kind: str, strength: int, rng: np.random.Generator
) -> list[str]:
    """Every caption with words permuted or, of the other kind, replaced."""
    words = (
        permute_words(data.words, strength, rng)
        if kind == "word_permutation"
        else replace_words(data.words, len(data.vocabulary), strength, rng)
    )
    flat = np.array(data.vocabulary, dtype=object)[words.values].tolist()
    bounds = words.offsets.tolist()
    return [" ".join(flat[start:end]) for start, end in pairwise(bounds)]
