"""Vectors for words without training data, and for character n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.text.vectors.caption_vectors import character_ngrams

RIDGE = 30.0
PENALTY = 0.01


def extrapolate_vectors(known: FloatArray, learned: FloatArray, unknown: FloatArray) -> FloatArray:
    """Predict vectors of unknown words by a ridge regression from given to learned vectors."""
    mean, target = known.mean(axis=0), learned.mean(axis=0)
    centred = known - mean
    gram = centred.T @ centred + RIDGE * np.eye(known.shape[1])
    mapping = np.linalg.solve(gram, centred.T @ (learned - target))
    result: FloatArray = (unknown - mean) @ mapping + target
    return result


def frequent_pieces(words: Sequence[str], most: int) -> list[str]:
    """Return the most frequent character n-grams, each of at least two words."""
    counts = Counter(piece for word in words for piece in set(character_ngrams(word)))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [piece for piece, count in ordered[:most] if count > 1]


def learn_pieces(words: Sequence[str], vectors: FloatArray, pieces: Sequence[str]) -> FloatArray:
    """Pieces' vectors such that the mean over a word's pieces is near the word's own vector.

    Least squares with a small penalty on length, for pieces that few words have.
    """
    number = {piece: place for place, piece in enumerate(pieces)}
    shares = np.zeros((len(words), len(pieces)))
    for row, word in enumerate(words):
        inside = [number[piece] for piece in character_ngrams(word) if piece in number]
        for place in inside:
            shares[row, place] += 1 / len(inside)
    gram = shares.T @ shares + PENALTY * np.eye(len(pieces))
    found: FloatArray = np.linalg.solve(gram, shares.T @ vectors).astype(np.float64, copy=False)
    return found
