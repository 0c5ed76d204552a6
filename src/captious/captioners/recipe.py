"""Recipes: which captioner is trained, and how, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from captious._internal.checks.arguments import check_choice, check_fields, check_numbers
from captious._internal.checks.bounds import (
    Count,
    Decay,
    Positive,
    Rate,
    Seed,
    Share,
    Weight,
    Width,
)

ARCHITECTURES = {
    "init": "the image is the initial state of the network",
    "pre": "the image is read as the first word",
    "par": "the image is read together with every word",
    "merge": "the image is merged with the network's state to predict the next word",
}
# Chosen on Flickr8k's validation images. Networks that read the image learn faster from vectors
# that are standardized; merge, which only adds the image to the output, overfits to them. In par,
# word vectors with a small initial spread are drowned by the image. In pre, which reads the image
# once and has to remember it, a larger state helps most.
DEFAULTS_BY_ARCHITECTURE: dict[str, dict[str, Any]] = {
    "pre": {"size": 512, "image_dropout": 0.2, "input_gain": 3.0, "forget_bias": 2.0},
    "par": {"spread": 1.0},
    "merge": {"standardise": False, "dropout": 0.5, "image_dropout": 0.5, "learning_rate": 1e-3},
}


@dataclass(frozen=True)
class CaptionerRecipe:
    """Architecture, size and training settings of a captioner.

    Training stops after `epochs`, or once the loss on the validation captions has not fallen for
    `patience` epochs; the weights of the epoch with the lowest are kept.
    """

    architecture: str = "merge"
    size: Width = 256  # of a word's vector, of the image's, and of the state
    standardise: bool = True  # each number of the image vectors
    spread: Positive = 0.1  # deviation of the word vectors' numbers before training
    input_gain: Positive = 1.0  # of the network's weights for what it reads, before training
    forget_bias: Weight = 0.0  # above 0 the network forgets more slowly, before training
    dropout: Share = 0.4  # of the numbers of words and states
    image_dropout: Share = 0.4
    learning_rate: Rate = 2e-3  # in the first epoch
    decay: Decay = 0.9  # of the learning rate, from epoch to epoch
    batch: Count = 64
    epochs: Count = 30
    patience: Count = 2
    least_count: Count = 5  # how often a word occurs that is learnt
    seed: Seed = 0
    half: bool = False  # multiply in bfloat16 where the processor can

    def __post_init__(self) -> None:
        check_choice("unknown architecture", self.architecture, ARCHITECTURES)
        check_numbers(self)
        check_fields(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as a dictionary for JSON."""
        return asdict(self)


def default_recipe(architecture: str, **overrides: Any) -> CaptionerRecipe:
    """Return an architecture's default recipe, with those overrides that are not None."""
    chosen = {name: value for name, value in overrides.items() if value is not None}
    return CaptionerRecipe(
        architecture, **{**DEFAULTS_BY_ARCHITECTURE.get(architecture, {}), **chosen}
    )
