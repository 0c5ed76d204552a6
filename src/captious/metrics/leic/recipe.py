"""Recipes of critics: inputs, fusion and training settings, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from captious._internal.checks.arguments import check_choice, check_fields, check_numbers
from captious._internal.checks.bounds import (
    WEIGHT,
    Count,
    Decay,
    Positive,
    Rate,
    Seed,
    Share,
    Weight,
    Width,
    check_number,
)
from captious.errors import InputError
from captious.metrics.parameters import PAPER, RELEASED, VARIANTS
from captious.text.transformations import TRANSFORMATIONS

IMAGE, REFERENCE, BOTH = CONTEXTS = ("image", "reference", "both")
LINEAR, MLP, BILINEAR = FUSIONS = ("linear", "mlp", "bilinear")
# Captions by captioners: the most probable, or sampled.
MACHINE, SAMPLED = CAPTIONER_NEGATIVES = ("machine", "sampled")
NEGATIVES = (
    *CAPTIONER_NEGATIVES,
    *TRANSFORMATIONS,
)  # not human captions of the image
# Word order is learnt slowest. Captions of other images have a task of their own: `contrast`.
DEFAULT_NEGATIVES = dict(zip(NEGATIVES, (0.5, 0.5, 1.0, 3.0, 2.0), strict=True))
# The released code's: a third each the best captions, drawn ones, and people's made worse, or half
# and half where none are drawn. A critic that is to tell one system from people must see enough.
RELEASED_NEGATIVES = dict(zip(NEGATIVES, (1.0, 1.0, 1 / 3, 1 / 3, 1 / 3), strict=True))
# Numbers of the released code; its 10,000 most frequent words are all words of a smaller set.
RELEASED_SETTINGS: dict[str, Any] = {
    "variant": RELEASED,
    "size": 512,
    "least_count": 1,
    "others": RELEASED_NEGATIVES,
    "contrast": 0.0,
    "dropout": 0.5,
    "learning_rate": 1e-3,
    "epochs": 30,
}


@dataclass(frozen=True)
class CriticRecipe:
    """A critic's context, fusion and sizes, and the settings of its training.

    `others` has the share of each kind of caption that the critic learns to tell from people's of
    the image; kinds without captions are left out. Other faults of a caption show in its
    words alone, and a critic that learns of them may never learn to look at the context: `contrast`
    is the weight of a second task, to find the context of a person's caption among several.
    Training takes `epochs`, or ends once the loss on the validation images has not fallen for
    `patience` epochs; the weights of the epoch with the lowest are kept.

    The variant says what becomes of captions as long as may be read, in training and in scoring: in
    the released code they lose their vector. `as_released` trains as that code does where the paper
    says nothing else: an epoch has one caption of each image for each machine, not all captions; as
    many captions are changed in all their words as in few; forget gates begin open; images are read
    as they are, and nothing of them is dropped; the last epoch is kept.
    """

    context: str = BOTH
    fusion: str = MLP
    variant: str = PAPER
    size: Width = 256  # of a caption's vector, and of the image's
    hidden: Width = 512  # units of the MLP
    sketch: Width = 8192  # numbers of a compact bilinear vector
    longest: Count = 15  # words that are read
    least_count: Count = 3  # how often a word occurs that is learnt
    others: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_NEGATIVES))
    contrast: Weight = 0.5
    contexts: Count = 8  # among which a caption's own is to be found
    similar: bool = False  # captions of other images come from images that are alike, too
    dropout: Share = 0.3
    learning_rate: Rate = 2e-3  # in the first epoch
    decay: Decay = 0.9  # of the learning rate, from epoch to epoch
    batch: Count = 100  # half of them people's captions
    epochs: Count = 15
    patience: Count = 3
    largest_gradient: Positive = 1.0
    seed: Seed = 0
    half: bool = False  # multiply in bfloat16 where the processor can
    as_released: bool = False

    def __post_init__(self) -> None:
        for name, known in (("context", CONTEXTS), ("fusion", FUSIONS), ("variant", VARIANTS)):
            check_choice(f"unknown {name}", getattr(self, name), known)
        check_numbers(self)
        if self.batch % 2:
            raise InputError(f"batch: an even number, not {self.batch}: half are human captions")
        check_fields(self)
        for kind, share in self.others.items():
            check_choice("unknown captions", kind, NEGATIVES)
            check_number(kind, share, WEIGHT)

    @property
    def uses_images(self) -> bool:
        """Whether the image is part of the context."""
        return self.context != REFERENCE

    @property
    def uses_references(self) -> bool:
        """Whether a reference is part of the context."""
        return self.context != IMAGE

    @property
    def context_size(self) -> int:
        """Length of the context vector: of the image, the reference, or both."""
        return self.size * (self.uses_images + self.uses_references)

    def to_dict(self) -> dict[str, Any]:
        """Return all settings for JSON; newer ones only if they differ from the earlier behaviour.

        Critics are identified by a hash of this, and older critics must keep theirs.
        """
        choices = asdict(self)
        if not self.as_released:
            del choices["as_released"]
        return choices


def released_recipe(**given: Any) -> CriticRecipe:
    """Return the released code's recipe with changed settings."""
    return CriticRecipe(as_released=True, **{**RELEASED_SETTINGS, **given})
