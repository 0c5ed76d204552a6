"""Count sketches, and compact bilinear pooling: the outer product of two vectors in few numbers.

A count sketch (Charikar et al. 2002) adds every number, with a random sign, to one of few places.
The circular convolution of two vectors' sketches is a count sketch of their outer product (Pham and
Pagh 2013), which never need be written down. A linear layer over it is therefore one matrix between
the two vectors, of whose numbers many are shared: `folded` gives it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class CountSketch:
    """For each number of a vector, its place in the sketch and its sign."""

    places: IntArray
    signs: npt.NDArray[np.int8]

    @classmethod
    def random(cls, width: int, size: int, chance: np.random.Generator) -> CountSketch:
        """Places and signs by chance, for vectors of a width, in a sketch of a size."""
        return cls(
            chance.integers(size, size=width),
            (2 * chance.integers(2, size=width) - 1).astype(np.int8),
        )


def outer_product_sketch(left: CountSketch, right: CountSketch, size: int) -> CountSketch:
    """The outer product's sketch: for each pair of numbers, a row a number of the left."""
    return CountSketch(
        (left.places[:, None] + right.places[None, :]) % size,
        left.signs[:, None] * right.signs[None, :],
    )


def fold_sketches(layer: FloatArray, left: CountSketch, right: CountSketch) -> FloatArray:
    """The matrix M with x M y = layer · (the convolution of the sketches of x and y)."""
    sketch = outer_product_sketch(left, right, len(layer))
    matrix: FloatArray = layer[sketch.places] * sketch.signs
    return matrix
