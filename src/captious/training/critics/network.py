"""The critic's network in PyTorch, as it is trained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from captious._internal.backends.pytorch import import_torch, load_module_weights, module_weights
from captious.images.vectors import SingleArray
from captious.metrics.leic.fusion import CountSketch, outer_product_sketch
from captious.metrics.leic.recipe import BILINEAR, LINEAR, CriticRecipe

if TYPE_CHECKING:
    import torch

CLASSES = 2  # others, people
FORGET_BIAS = 1.0  # of TensorFlow's cells, which the released code takes


def make_sketches(recipe: CriticRecipe) -> tuple[CountSketch, CountSketch]:
    """The count sketches of a context and of a candidate."""
    rng = np.random.default_rng([recipe.seed, recipe.sketch])
    return (
        CountSketch.random(recipe.context_size, recipe.sketch, rng),
        CountSketch.random(recipe.size, recipe.sketch, rng),
    )


class CriticNetwork:
    """Word vectors, one LSTM for every caption, an image layer, and a classifier."""

    def __init__(
        self,
        recipe: CriticRecipe,
        words: SingleArray,
        image_width: int,
        sketches: tuple[CountSketch, CountSketch],
    ) -> None:
        torch = import_torch()
        self._torch, self._recipe = torch, recipe
        size, context = recipe.size, recipe.context_size
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            parts = {
                "words": torch.nn.Embedding.from_pretrained(
                    torch.from_numpy(words.copy()), freeze=False
                ),
                "memory": torch.nn.LSTM(words.shape[1], size, batch_first=True),
            }
            if recipe.as_released:
                with torch.no_grad():  # the second of the four gates: forget
                    parts["memory"].bias_ih_l0[size : 2 * size] += FORGET_BIAS
            if recipe.uses_images:
                parts["image"] = torch.nn.Linear(image_width, size)
            if recipe.fusion == BILINEAR:
                parts["output"] = torch.nn.Linear(recipe.sketch, CLASSES)
            elif recipe.fusion == LINEAR:
                parts["output"] = torch.nn.Linear(context + size, CLASSES)
            else:
                parts["hidden"] = torch.nn.Linear(context + size, recipe.hidden)
                parts["output"] = torch.nn.Linear(recipe.hidden, CLASSES)
            self.parts = torch.nn.ModuleDict(parts)
        self.parts["dropout"] = torch.nn.Dropout(recipe.dropout)
        if recipe.fusion == BILINEAR:
            sketch = outer_product_sketch(*sketches, recipe.sketch)
            self._places = torch.from_numpy(sketch.places)
            self._signs = torch.from_numpy(sketch.signs.astype(np.float32))

    def captions(
        self, words: torch.Tensor, lengths: torch.Tensor, has_end: torch.Tensor
    ) -> torch.Tensor:
        """A vector for each caption: the LSTM's output at its end, or zeros without an end."""
        states, _ = self.parts["memory"](self.parts["dropout"](self.parts["words"](words)))
        rows = self._torch.arange(len(words))
        return self.parts["dropout"](states[rows, lengths] * has_end[:, None])

    def context(self, images: torch.Tensor | None, references: torch.Tensor | None) -> torch.Tensor:
        """The vectors that candidates are compared with: image, reference, or both concatenated."""
        seen = [] if images is None else [self.parts["image"](images)]
        if not self._recipe.as_released:
            seen = [self.parts["dropout"](each) for each in seen]
        return self._torch.cat(seen if references is None else [*seen, references], 1)

    def scores(self, context: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        """A logit for each class, of each candidate in its context."""
        parts, torch = self.parts, self._torch
        if self._recipe.fusion == BILINEAR:
            products = [(context @ matrix) * candidates for matrix in self._matrices()]
            sums = torch.stack([product.float().sum(1) for product in products], 1)
            return sums + parts["output"].bias
        together = torch.cat([context, candidates], 1)
        if self._recipe.fusion == LINEAR:
            return parts["output"](together)
        return parts["output"](parts["dropout"](torch.relu(parts["hidden"](together))))

    def _matrices(self) -> torch.Tensor:
        """Compact bilinear pooling and the layer over it: a matrix for each class.

        The layer over the outer product's sketch, folded out of it: the same numbers as by way of
        the sketches' convolution, for the price of a product of matrices.
        """
        layer = self.parts["output"].weight.index_select(1, self._places.flatten())
        return layer.view(CLASSES, *self._places.shape) * self._signs

    def arrays(self) -> dict[str, SingleArray]:
        """All weights by name, copied."""
        return module_weights(self.parts)

    def load(self, arrays: Mapping[str, Any]) -> None:
        """Load weights; wrong names or sizes are a ValueError."""
        load_module_weights(self.parts, arrays)
