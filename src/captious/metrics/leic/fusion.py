"""Fusion in NumPy: context and candidate become one number, the margin for a person's caption.

Each fusion is a sum of what image, reference and candidate bring by themselves, computed once for
each of them, and one cheap step for each pair. A softmax over two classes needs no more than the
difference of their scores.

Compact bilinear pooling writes the outer product of two vectors in few numbers. A count sketch
(Charikar et al. 2002) adds every number, with a random sign, to one of few places. The circular
convolution of two vectors' sketches is a count sketch of their outer product (Pham and Pagh 2013).
A linear layer over it is therefore one matrix between the two vectors, of whose numbers many are
shared: `fold_sketches` returns it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.images.vectors import SingleArray
from captious.metrics.leic.recipe import BILINEAR, LINEAR, CriticRecipe


@dataclass(frozen=True, eq=False)
class CountSketch:
    """Place in the sketch and sign of each number of a vector."""

    places: IntArray
    signs: npt.NDArray[np.int8]

    @classmethod
    def random(cls, width: int, size: int, rng: np.random.Generator) -> CountSketch:
        """Draw places and signs for vectors of `width` numbers in a sketch of `size`."""
        return cls(
            rng.integers(size, size=width),
            (2 * rng.integers(2, size=width) - 1).astype(np.int8),
        )


def outer_product_sketch(left: CountSketch, right: CountSketch, size: int) -> CountSketch:
    """Return the outer product's sketch, with one row for each number of the left vector."""
    return CountSketch(
        (left.places[:, None] + right.places[None, :]) % size,
        left.signs[:, None] * right.signs[None, :],
    )


def fold_sketches(layer: FloatArray, left: CountSketch, right: CountSketch) -> FloatArray:
    """Return the matrix M with x M y = layer · (the convolution of the sketches of x and y)."""
    sketch = outer_product_sketch(left, right, len(layer))
    matrix: FloatArray = layer[sketch.places] * sketch.signs
    return matrix


class Fusion(ABC):
    """Layers that combine the vectors of a context and a candidate into a margin."""

    context: SingleArray  # what the vectors of a context are multiplied by, image first
    candidate: SingleArray | None  # and the candidate's, where they are not taken as they are

    @abstractmethod
    def margins(self, context: SingleArray, candidates: SingleArray) -> SingleArray:
        """Return the logit of the human class less that of the other, row by row."""


@dataclass(frozen=True, eq=False)
class ConcatenationFusion(Fusion):
    """One layer over everything side by side, and perhaps a second one after a ReLU."""

    context: SingleArray
    candidate: SingleArray
    bias: SingleArray
    second: SingleArray | None = None
    second_bias: float = 0.0

    def margins(self, context: SingleArray, candidates: SingleArray) -> SingleArray:
        """Return the layers' output."""
        hidden = context + candidates + self.bias
        if self.second is None:
            return hidden[:, 0]
        np.maximum(hidden, 0, out=hidden)
        margins: SingleArray = (hidden * self.second).sum(axis=1) + np.float32(self.second_bias)
        return margins


@dataclass(frozen=True, eq=False)
class BilinearFusion(Fusion):
    """One matrix between context and candidate, folded out of count sketches."""

    context: SingleArray
    bias: float
    candidate: None = None

    def margins(self, context: SingleArray, candidates: SingleArray) -> SingleArray:
        """Return the value of the bilinear form."""
        margins: SingleArray = (context * candidates).sum(axis=1) + np.float32(self.bias)
        return margins


def build_fusion(
    recipe: CriticRecipe,
    arrays: Mapping[str, SingleArray],
    sketches: tuple[CountSketch, CountSketch],
) -> Fusion:
    """Build the fusion of a trained network."""
    output = arrays["output.weight"][1] - arrays["output.weight"][0]
    bias = float(arrays["output.bias"][1] - arrays["output.bias"][0])
    if recipe.fusion == BILINEAR:
        return BilinearFusion(
            fold_sketches(output.astype(np.float64), *sketches).astype(np.float32), bias
        )
    first = -recipe.size  # of the candidate
    if recipe.fusion == LINEAR:
        layer = output[:, None]
        return ConcatenationFusion(layer[:first], layer[first:], np.array([bias], np.float32))
    layer = arrays["hidden.weight"].T
    return ConcatenationFusion(layer[:first], layer[first:], arrays["hidden.bias"], output, bias)
