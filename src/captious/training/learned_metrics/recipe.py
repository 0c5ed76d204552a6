"""Training recipes: hyperparameters, from code or from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from captious._internal.checks.arguments import LIST, check_choice, check_kind, check_numbers
from captious._internal.checks.bounds import WIDTH, Count, Positive, Seed, Weight
from captious.errors import InputError, short_repr
from captious.metrics.learned.network import MAX_HIDDEN_LAYERS


@dataclass(frozen=True)
class Recipe:
    """The network's hidden layers, and the training's hyperparameters.

    Training stops after `epochs`, or once the validation's tau has not risen for `patience` epochs;
    the weights of the epoch with the highest tau are kept.
    """

    hidden: tuple[int, ...] = (12,)
    learning_rate: Positive = 5e-4
    batch: Count = 75
    epochs: Count = 800
    patience: Count = 100
    l2: Weight = 1e-4
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_kind("hidden", self.hidden, LIST)
        if len(self.hidden) > MAX_HIDDEN_LAYERS or not all(map(WIDTH.allow, self.hidden)):
            raise InputError(
                f"hidden: at most {MAX_HIDDEN_LAYERS} layers, each {WIDTH}, "
                f"not {short_repr(list(self.hidden))}"
            )
        check_numbers(self)

    @classmethod
    def of(cls, table: Mapping[str, Any], where: str) -> Recipe:
        """Return the recipe in a file's table, with defaults for missing values."""
        known = [field.name for field in fields(cls)]
        unknown = [name for name in table if name not in known]
        if unknown:
            raise InputError(
                f"{where}: no {short_repr(unknown[0])} in a recipe; there are: {', '.join(known)}"
            )
        values = dict(table)
        if isinstance(values.get("hidden"), list):
            values["hidden"] = tuple(values["hidden"])
        try:
            return cls(**values)
        except (InputError, TypeError) as error:
            raise InputError(f"{where}: {error}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, as written to JSON."""
        return {**asdict(self), "hidden": list(self.hidden)}


QUICK, PAPER = "quick", "paper"
KINDS = (QUICK, PAPER)
# Quick: mini-batches of 1,024, and no more epochs than help. LCEval's rate grows with the batch and
# reaches the same tau; at NNEval's rate of .25 so many units die that up to a tenth of all pairs of
# captions get one score, at .05 none do.
NNEVAL_RECIPE = Recipe((72, 72), learning_rate=0.05, batch=1024, epochs=200, patience=40)
LCEVAL_RECIPE = Recipe((12,), learning_rate=5e-3, batch=1024, epochs=200, patience=40)
# As the papers have it: all epochs are run, and the best is kept.
NNEVAL_PAPER = Recipe((72, 72), learning_rate=0.25, batch=75, epochs=500, patience=500)
LCEVAL_PAPER = Recipe((12,), learning_rate=5e-4, batch=75, epochs=800, patience=800)
# As the released code has it: a mini-batch is a twentieth or a tenth of all captions, of 16,000.
_NNEVAL_RELEASED = Recipe((72, 72), learning_rate=0.05, batch=800, epochs=700)
_LCEVAL_RELEASED = Recipe((), learning_rate=5e-4, batch=1600, epochs=1000)
RECIPES = {
    QUICK: {
        "nneval": NNEVAL_RECIPE,
        "lceval": LCEVAL_RECIPE,
        "nneval_released": _NNEVAL_RELEASED,
        "lceval_released": _LCEVAL_RELEASED,
    },
    PAPER: {
        "nneval": NNEVAL_PAPER,
        "lceval": LCEVAL_PAPER,
        "nneval_released": replace(_NNEVAL_RELEASED, batch=6650),
        "lceval_released": replace(_LCEVAL_RELEASED, batch=13300),
    },
}
PAPER_CAPTIONS, PAPER_PER_IMAGE = 132_984, 3  # of both kinds; of each kind
PAPER_IMAGES = PAPER_CAPTIONS // (2 * PAPER_PER_IMAGE)


def recipe_named(feature_set: str, kind: str = QUICK) -> Recipe:
    """Return the recipe of a published feature set; groups of LCEval's features have LCEval's."""
    check_choice("unknown recipe", kind, KINDS)
    recipes = RECIPES[kind]
    return recipes.get(feature_set.partition("(")[0], recipes["lceval"])
