# cython: annotation_typing=False
"""Vectors in single precision, by row: sums of them, and products of pairs."""

from __future__ import annotations

from typing import Any


def row_sums(vectors: Any, rows: Any, offsets: Any, sums: Any) -> None:
    """Write the sum of the vectors of each group of `rows`, in their order."""
    size = sums.shape[1]
    for each in range(len(offsets) - 1):
        for k in range(size):
            sums[each, k] = 0.0
        for place in range(offsets[each], offsets[each + 1]):
            row = rows[place]
            for k in range(size):
                sums[each, k] += vectors[row, k]


def row_products(a: Any, rows_a: Any, b: Any, rows_b: Any, products: Any) -> None:
    """Write the scalar product of a row of a and a row of b for each pair, in double precision.

    Numbers at even and at odd places are added apart, eight at a time from the last to the first:
    the order of `numpy.einsum` on x86.
    """
    size = a.shape[1]
    eights = size - size % 8
    for pair in range(len(products)):
        row_a = rows_a[pair]
        row_b = rows_b[pair]
        even = 0.0
        odd = 0.0
        for k in range(0, eights, 8):
            x = a[row_a, k + 6]
            y = a[row_a, k + 7]
            even += x * b[row_b, k + 6]
            odd += y * b[row_b, k + 7]
            x = a[row_a, k + 4]
            y = a[row_a, k + 5]
            even += x * b[row_b, k + 4]
            odd += y * b[row_b, k + 5]
            x = a[row_a, k + 2]
            y = a[row_a, k + 3]
            even += x * b[row_b, k + 2]
            odd += y * b[row_b, k + 3]
            x = a[row_a, k]
            y = a[row_a, k + 1]
            even += x * b[row_b, k]
            odd += y * b[row_b, k + 1]
        for k in range(eights, size):
            x = a[row_a, k]
            if k % 2 == 0:
                even += x * b[row_b, k]
            else:
                odd += x * b[row_b, k]
        products[pair] = even + odd
