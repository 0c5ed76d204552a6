"""Cosines between captions' vectors, pair by pair."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.loops.directions import row_products
from captious.text.vectors.caption_vectors import VectorRows


def cosines(a: VectorRows, b: VectorRows) -> FloatArray:
    """The cosine of each pair of vectors, all of length one."""
    products = np.empty(len(a.rows))
    row_products(a.vectors.data, a.rows.data, b.vectors.data, b.rows.data, products.data)
    return np.clip(products, -1.0, 1.0, out=products)
