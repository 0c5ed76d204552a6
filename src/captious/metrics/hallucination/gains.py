"""Gains: what each thing adds to a caption's nearness to its references.

A caption that comes nearer to its references without a thing is better off without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged
from captious._internal.loops.directions import row_products
from captious.samples import Samples
from captious.text.tokens import Tokens
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    SpaceWords,
    VectorRows,
    sum_rows,
)

# Of a caption's squared length: less is the rounding error of removing its only word.
MIN_SQUARE_RATIO = 1e-9


def consensus_gains(
    samples: Samples, words: Ragged, names: Sequence[str], beside: VectorRows
) -> FloatArray:
    """The cosine of each sample's candidate with a vector, less that of the same without a word.

    `words` are words of each sample's candidate, `beside` has a vector of length one a sample. What
    has no word left has the cosine 0, and so has what has no vector.
    """
    space = CaptionSpace.load()
    said = SpaceWords.of(samples.candidates, space)
    captions = VectorRows(
        sum_rows(said.vectors, said.words), samples.rows[words.owners]
    )  # not at length one: a word is taken out of the sum
    used, numbers = np.unique(words.values, return_inverse=True)
    placed = space.look_up([names[word] for word in used.tolist()])
    things = VectorRows(placed.vectors, placed.rows[numbers])
    centroids = VectorRows(beside.vectors, beside.rows[words.owners])
    times = _count_occurrences(samples, words)
    square = _dot_products(captions, captions)
    along = _dot_products(captions, centroids)
    rest_square = square - 2 * times * _dot_products(captions, things)
    rest_square += times**2 * _dot_products(things, things)
    rest_along = along - times * _dot_products(things, centroids)
    is_left = rest_square > MIN_SQUARE_RATIO * square
    return _divide_by_length(along, square) - _divide_by_length(
        rest_along, np.where(is_left, rest_square, 0.0)
    )


def _count_occurrences(samples: Samples, words: Ragged) -> IntArray:
    """Count how often each word occurs in its sample's candidate."""
    ids = samples.candidates.layer(Tokens).ids
    size = int(max(ids.values.max(initial=0), words.values.max(initial=0))) + 1
    keys, counts = np.unique(ids.owners * size + ids.values, return_counts=True)
    sought = samples.rows[words.owners] * size + words.values
    places = np.minimum(np.searchsorted(keys, sought), max(len(keys) - 1, 0))
    times: IntArray = np.zeros(len(sought), np.int64)
    if len(keys):
        times = np.where(keys[places] == sought, counts[places], 0)
    return times


def _dot_products(a: VectorRows, b: VectorRows) -> FloatArray:
    products = np.empty(len(a.rows))
    row_products(a.vectors.data, a.rows.data, b.vectors.data, b.rows.data, products.data)
    return products


def _divide_by_length(along: FloatArray, square: FloatArray) -> FloatArray:
    """Divide projections by lengths; 0 where the length is 0."""
    lengths = np.sqrt(square)
    return np.divide(along, lengths, out=np.zeros(len(along)), where=lengths > 0)
