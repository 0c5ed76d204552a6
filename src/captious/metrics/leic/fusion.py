"""Fusion in NumPy: context and candidate become one number, the margin for a person's caption.

Each fusion is a sum of what image, reference and candidate bring by themselves, computed once for
each of them, and one cheap step for each pair. A softmax over two classes needs no more than the
difference of their scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from captious.images.vectors import SingleArray
from captious.metrics.leic.count_sketch import CountSketch, fold_sketches
from captious.metrics.leic.recipe import BILINEAR, LINEAR, CriticRecipe


class Fusion(ABC):
    """Layers that combine the vectors of a context and a candidate into a margin."""

    context: SingleArray  # what the vectors of a context are multiplied by, image first
    candidate: SingleArray | None  # and the candidate's, where they are not taken as they are

    @abstractmethod
    def margins(self, context: SingleArray, candidates: SingleArray) -> SingleArray:
        """Return the logit of the human class less that of the other, row by row."""


@dataclass(frozen=True, eq=False)
class Concatenated(Fusion):
    """One layer over everything side by side, and perhaps a second one after a ReLU."""

    context: SingleArray
    candidate: SingleArray
    bias: SingleArray
    second: SingleArray | None = None
    second_bias: float = 0.0

    def margins(self, context: SingleArray, candidates: SingleArray) -> SingleArray:
        """The layers' outcome."""
        together = context + candidates + self.bias
        if self.second is None:
            return together[:, 0]
        np.maximum(together, 0, out=together)
        margins: SingleArray = (together * self.second).sum(axis=1) + np.float32(self.second_bias)
        return margins


@dataclass(frozen=True, eq=False)
class Bilinear(Fusion):
    """One matrix between context and candidate, folded out of count sketches."""

    context: SingleArray
    bias: float
    candidate: None = None

    def margins(self, context: SingleArray, candidates: SingleArray) -> SingleArray:
        """The bilinear form."""
        margins: SingleArray = (context * candidates).sum(axis=1) + np.float32(self.bias)
        return margins


def build_fusion(
    recipe: CriticRecipe,
    arrays: Mapping[str, SingleArray],
    sketches: tuple[CountSketch, CountSketch],
) -> Fusion:
    """The fusion of a trained network."""
    output = arrays["output.weight"][1] - arrays["output.weight"][0]
    bias = float(arrays["output.bias"][1] - arrays["output.bias"][0])
    if recipe.fusion == BILINEAR:
        return Bilinear(
            fold_sketches(output.astype(np.float64), *sketches).astype(np.float32), bias
        )
    wide = -recipe.size  # the candidate comes last
    if recipe.fusion == LINEAR:
        layer = output[:, None]
        return Concatenated(layer[:wide], layer[wide:], np.array([bias], np.float32))
    layer = arrays["hidden.weight"].T
    return Concatenated(layer[:wide], layer[wide:], arrays["hidden.bias"], output, bias)
