"""The decoder: a recurrent network over words, with the image in one of four places.

Tanti, Gatt and Camilleri (2018), *Where to put the image in an image caption generator*. The four
architectures are one network that differs in `initial_state`, in what it reads, or in its output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from captious._internal.backends.pytorch import import_torch, load_module_weights, module_weights
from captious._internal.checks.arguments import check_numbers
from captious._internal.checks.bounds import Count
from captious.captioners.recipe import ARCHITECTURES
from captious.errors import InputError
from captious.images.vectors import SingleArray

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Shape:
    """The architecture and sizes of a decoder, which determine the shapes of its arrays."""

    architecture: str
    size: Count
    vocabulary: Count  # words in all
    width: Count  # of an image's vector

    def __post_init__(self) -> None:
        if self.architecture not in tuple(ARCHITECTURES):
            raise InputError(f"unknown architecture {self.architecture!r}")
        check_numbers(self)

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array, by name."""
        size, words = self.size, self.vocabulary
        shapes = {
            "words.weight": (words, size),
            "image.weight": (size, self.width),
            "image.bias": (size,),
            "memory.weight_ih_l0": (4 * size, 2 * size if self.architecture == "par" else size),
            "memory.weight_hh_l0": (4 * size, size),
            "memory.bias_ih_l0": (4 * size,),
            "memory.bias_hh_l0": (4 * size,),
            "output.weight": (words, size),
            "output.bias": (words,),
        }
        return shapes | ({"merged.weight": (words, size)} if self.architecture == "merge" else {})


@dataclass(frozen=True)
class State:
    """The network's state before the next word: a row of each array for each caption."""

    image: torch.Tensor
    hidden: torch.Tensor
    cell: torch.Tensor

    def take(self, rows: torch.Tensor) -> State:
        """Return the state of some captions, repeated where a row is repeated."""
        return State(self.image[rows], self.hidden[rows], self.cell[rows])


class Decoder:
    """Word vectors, an image layer, an LSTM and an output layer."""

    def __init__(
        self,
        shape: Shape,
        seed: int = 0,
        *,
        dropout: float = 0.0,
        image_dropout: float = 0.0,
        spread: float = 0.1,
        input_gain: float = 1.0,
        forget_bias: float = 0.0,
    ) -> None:
        torch = import_torch()
        self.shape, self._torch = shape, torch
        size = shape.size
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.parts = torch.nn.ModuleDict(
                {
                    "words": torch.nn.Embedding(shape.vocabulary, size),
                    "image": torch.nn.Linear(shape.width, size),
                    "memory": torch.nn.LSTM(
                        2 * size if shape.architecture == "par" else size, size, batch_first=True
                    ),
                    "output": torch.nn.Linear(size, shape.vocabulary),
                }
            )
            if shape.architecture == "merge":
                self.parts["merged"] = torch.nn.Linear(size, shape.vocabulary, bias=False)
            torch.nn.init.normal_(self.parts["words"].weight, std=spread)
        memory = self.parts["memory"]
        with torch.no_grad():
            memory.weight_ih_l0 *= input_gain
            memory.bias_ih_l0[size : 2 * size] += forget_bias  # the second of four gates
        self.parts["dropout"] = torch.nn.Dropout(dropout)
        self.parts["image_dropout"] = torch.nn.Dropout(image_dropout)

    def initial_state(self, vectors: torch.Tensor) -> State:
        """Return the state before the first word, from unit vectors of images."""
        parts, architecture = self.parts, self.shape.architecture
        # Unit vectors would leave the layer's inputs tiny: their numbers get a mean square of 1.
        image = parts["image_dropout"](parts["image"](vectors * self.shape.width**0.5))
        nothing = self._torch.zeros(len(vectors), self.shape.size)
        if architecture == "init":
            return State(image, self._torch.tanh(image), image)
        if architecture == "pre":
            _, (hidden, cell) = parts["memory"](image[:, None])
            return State(image, hidden[0], cell[0])
        return State(image, nothing, nothing)

    def read(self, words: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        """Read words (one row per caption): return scores of every next word, and the new state."""
        parts, architecture = self.parts, self.shape.architecture
        inputs = parts["dropout"](parts["words"](words))
        if architecture == "par":
            image = state.image[:, None].expand(-1, words.shape[1], -1)
            inputs = self._torch.cat([image, inputs], 2)
        states, (hidden, cell) = parts["memory"](inputs, (state.hidden[None], state.cell[None]))
        scores = parts["output"](parts["dropout"](states))
        if architecture == "merge":
            # A layer over image and state side by side is the sum of one over each; the image's
            # share is the same at every word.
            scores = scores + parts["merged"](state.image)[:, None]
        return scores, State(state.image, hidden[0], cell[0])

    def arrays(self) -> dict[str, SingleArray]:
        """Return copies of all weights by name."""
        return module_weights(self.parts)

    def load(self, arrays: Mapping[str, Any]) -> None:
        """Load weights; names and sizes that do not fit are a ValueError."""
        load_module_weights(self.parts, arrays)
