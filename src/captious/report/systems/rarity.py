"""Rarity of the rarest word that an image's references share."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.samples import References
from captious.text.tokens import Tokens

SHIPPED_FREQUENCIES = "coco-val2014"
MIN_REFERENCES = 2  # that share a word
MAX_POWER = 5  # rarer words count as one image in ten to this power


def rarity(references: References, frequencies: DocumentFrequencies) -> IntArray:
    """The power of ten among which images, one has the rarest word that references agree on.

    That is 2 for a word that one image in 100 to 999 has. Where no two references share a word, any
    word counts; an image without words has 0.
    """
    tokens = references.analysis.layer(Tokens)
    words = tokens.pieces.take(references.rows.values)
    size = max(tokens.size, 1)
    # Each word once a reference, then each once an image, with how many references have it.
    once = np.unique(words.owners * size + words.values)
    image = references.rows.owners[once // size]
    keys, agreed = np.unique(image * size + once % size, return_counts=True)
    owners = keys // size
    power = _powers(frequencies, list(tokens.vocabulary))[keys % size]
    rarest = np.zeros(len(references), np.int64)
    np.maximum.at(rarest, owners, power)
    shared = agreed >= MIN_REFERENCES
    among_shared = np.full(len(references), -1)
    np.maximum.at(among_shared, owners[shared], power[shared])
    return np.where(among_shared >= 0, among_shared, rarest)


def _powers(frequencies: DocumentFrequencies, vocabulary: list[str]) -> IntArray:
    counts = np.maximum(frequencies.of_words(vocabulary), 0.5)  # one that none has is rarer still
    # A hair more, since the logarithm of a thousand may come out below three.
    powers = np.floor(np.log10(frequencies.documents / counts) + 1e-9)
    return np.clip(powers, 0, MAX_POWER).astype(np.int64)


def rarity_label(low: int, high: int, is_first: bool, is_last: bool) -> str:
    """Return the label of a range of powers of ten."""
    if is_last:
        return f"in 1 image of {10**low:,} or fewer"
    if is_first:
        return f"in more than 1 image of {10 ** (high + 1):,}"
    return f"in 1 image of {10**low:,} to {10 ** (high + 1):,}"
