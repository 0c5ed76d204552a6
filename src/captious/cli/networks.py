"""What commands that train networks share: a recipe's options, captions, and figures at the end."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from captious._internal.backends.pytorch import import_torch
from captious.cli.options import AddOption
from captious.cli.output import check_npz, print_figures
from captious.errors import InputError
from captious.io.atomic_files import check_writable
from captious.io.training_captions import read_training_and_validation
from captious.training.loop import TrainingResult

COMMON_RECIPE_OPTIONS = {
    "learning_rate": "Adam's learning rate in the first epoch",
    "decay": "decay factor of the learning rate per epoch",
    "patience": "early stopping: epochs without improvement on the validation images",
    "least_count": "minimum count of a word in the vocabulary",
}


def declare_recipe_options(
    add_option: AddOption,
    recipe: object,
    values: Mapping[str, str],
    exceptions: Callable[[str], str] = lambda name: "",
) -> None:
    """Options of a recipe's numbers, with what each is in words; none where nothing is given."""
    of_this = {name: what for name, what in COMMON_RECIPE_OPTIONS.items() if hasattr(recipe, name)}
    for name, what in {**values, **of_this}.items():
        value = getattr(recipe, name)
        usually = f"{value}{exceptions(name)}"
        add_option(
            f"--{name.replace('_', '-')}", what, default_text=usually, type=type(value), metavar="N"
        )


def read_shares(option: str, text: str) -> dict[str, float]:
    """Shares of kinds from `kind=share` with commas between, as an option gives them."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        kind, equals, share = part.strip().partition("=")
        try:
            shares[kind] = float(share)
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(f"{option}: {part!r} is not KIND=SHARE, such as random_caption=0.5")
    return shares


def read_captions(
    options: argparse.Namespace,
) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    """Captions to learn from and to stop by, once it is sure that training can begin and end."""
    check_npz(options.output)
    import_torch()
    if options.checkpoint is not None:
        check_writable(options.checkpoint)
    return read_training_and_validation(options.captions, options.images, options.validation)


def print_trained(
    options: argparse.Namespace,
    trained: TrainingResult[Any],
    about: Mapping[str, str],
    measures: Mapping[str, float],
) -> None:
    """Where weights are, of what network, and how good it is on the validation captions."""
    data = {
        "output": options.output,
        **about,
        "words": len(trained.model.vocabulary.words),
        "epoch": trained.best,
        "epochs": len(trained.curve),
        "loss": trained.best_point["loss"],
        **{f"validation_{name}": value for name, value in measures.items()},
    }
    print_figures(options, data)
