"""Weighted sums of words' vectors for many captions, and the products of pairs of them."""

from __future__ import annotations

from typing import Any


def weighted_sums(words: Any, weights: Any, offsets: Any, vectors: Any, sums: Any) -> None:
    """Add up each caption's vectors, row `words[i]` of `vectors` times `weights[i]`, in `sums`."""
    size = vectors.shape[1]
    for caption in range(len(offsets) - 1):
        for place in range(offsets[caption], offsets[caption + 1]):
            row = words[place]
            weight = weights[place]
            for k in range(size):
                sums[caption, k] += weight * vectors[row, k]


def paired_products(a: Any, rows_a: Any, b: Any, rows_b: Any, products: Any) -> None:
    """Write the scalar product of a row of a and a row of b for each pair."""
    size = a.shape[1]
    for pair in range(len(products)):
        row_a = rows_a[pair]
        row_b = rows_b[pair]
        product = 0.0
        for k in range(size):
            product += a[row_a, k] * b[row_b, k]
        products[pair] = product
