"""captious critic: train a critic of captions, or let critics judge a whole system."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from captious.checks.bounds import COUNT, SEED
from captious.cli import networks
from captious.cli.numbers import number
from captious.cli.output import add_output_options
from captious.critic.recipe import (
    BOTH,
    CONTEXTS,
    FUSIONS,
    REFERENCE,
    WRITTEN,
    CriticRecipe,
)
from captious.errors import InputError
from captious.files.text_files import check_writable
from captious.metrics.variants import VARIANTS

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from captious.images.vectors import ImageVectors

EXAMPLES = """examples:
  captious critic train --captions train.jsonl --validation dev.jsonl --features vectors.npz \\
      --machine written.json --output critic.npz
  captious score candidates.json --references refs.json --metrics leic --critic critic.npz \\
      --images vectors.npz
  captious critic judge candidates.json --references refs.json --features vectors.npz
"""
VALUES = {  # of the recipe, in the words of the help
    "size": "numbers in a caption's vector, and in the image's",
    "hidden": "units of the fusion mlp",
    "sketch": "numbers of the fusion bilinear",
    "longest": "words of a caption that are read",
    "least_count": "how often a word must occur to be learnt",
    "contrast": "weight of the second task, to find a caption's context among several",
    "contexts": "how many, in that task",
    "dropout": "share of numbers left out at random in training",
    "learning_rate": "of Adam, in the first epoch",
    "decay": "factor of the learning rate from epoch to epoch",
    "batch": "captions a step, half of them people's",
    "epochs": "passes over people's captions, at most",
    "patience": "epochs to wait for a lower validation loss",
}


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command and its two parts."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "critic",
        help="train a critic (LEIC), or judge a system by critics",
        description="Critics after LEIC, which read image, reference and candidate: train one "
        "against machines' captions and captions made worse, or judge a system's whole output by "
        "critics trained against it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(metavar="train|judge", required=True)
    _add_train(parts)
    _add_judge(parts)


def _add_train(parts: _SubParsersAction[Any]) -> None:
    what = "train a critic on people's captions and others"
    parser: argparse.ArgumentParser = parts.add_parser("train", help=what, description=what)
    add = parser.add_argument
    networks.add_captions(parser, "people's captions by image")
    for kind, written in (("machine", "the best"), ("sampled", "drawn by chance")):
        add(
            f"--{kind}",
            metavar="FILE",
            action="append",
            default=[],
            help=f"captions that a captioner wrote, {written}: `captious captioner generate`, of "
            "all images, those for validation too; may be given several times",
        )
    _add_recipe(parser)
    networks.add_weights_and_checkpoint(parser)
    add("--seed", type=number(SEED), default=0, metavar="N", help="of all chance (default: 0)")
    add_output_options(parser)
    parser.set_defaults(run=run_train)


def _add_judge(parts: _SubParsersAction[Any]) -> None:
    what = "score a system in two folds, by critics trained against its captions of the other fold"
    parser: argparse.ArgumentParser = parts.add_parser("judge", help=what, description=what)
    add = parser.add_argument
    add("candidates", help="one caption an image, as captious score reads them")
    add("--references", required=True, help="people's captions, two of each image or more")
    add(
        "--seeds",
        type=number(COUNT),
        default=3,
        metavar="N",
        help="trainings averaged (default: 3)",
    )
    add("--output", metavar="FILE", help="write one row an image to this file")
    _add_recipe(parser)
    add_output_options(parser)
    parser.set_defaults(run=run_judge)


def _add_recipe(parser: argparse.ArgumentParser) -> None:
    usual = CriticRecipe()
    add = parser.add_argument
    add(
        "--features",
        metavar="FILE",
        help="image vectors: an .npz with the arrays `files` and `features`; not needed with "
        "--context reference",
    )
    add(
        "--context",
        choices=CONTEXTS,
        help="what is read beside the candidate (default: both with --features, else reference)",
    )
    add("--fusion", choices=FUSIONS, default=usual.fusion, help="(default: %(default)s)")
    add(
        "--variant",
        choices=VARIANTS,
        default=usual.variant,
        help="released: captions of 15 words or more lose their vector (default: %(default)s)",
    )
    add(
        "--others",
        metavar="KIND=SHARE,...",
        help="what is told from people's captions (default: "
        + ",".join(f"{kind}={share:g}" for kind, share in usual.others.items())
        + ")",
    )
    add(
        "--similar",
        action="store_true",
        help="take random captions from images that are alike, too",
    )
    networks.add_recipe_values(parser, usual, VALUES)
    networks.add_half(parser)


def run_train(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    from captious.training.critics.captions import CriticCaptions
    from captious.training.critics.training import train

    recipe = _recipe(options, options.seed)
    training, validation = networks.read_captions(options)
    vectors = _vectors(options, recipe)
    machines = {
        kind: _written(getattr(options, kind)) for kind in WRITTEN if getattr(options, kind)
    }
    with networks.training_bar(options) as progress:
        trained = train(
            CriticCaptions.of(training, machines, vectors),
            CriticCaptions.of(validation, machines, vectors),
            recipe,
            checkpoint=options.checkpoint,
            progress=progress,
        )
    trained.model.save(options.output)
    about = {"context": recipe.context, "fusion": recipe.fusion}
    networks.print_trained(options, trained, about, {"performance": trained.at_best["performance"]})


def run_judge(options: argparse.Namespace) -> None:
    """Judge a system in two folds, and print its score."""
    from captious.backends.pytorch import import_torch
    from captious.io.captions import read_candidates, read_references
    from captious.io.formats import format_of, write_columns
    from captious.training.critics.two_fold import two_fold

    recipe = _recipe(options, 0)
    if options.output is not None:
        format_of(options.output)
        check_writable(options.output)
    import_torch()
    candidates = read_candidates(options.candidates).captions
    people = read_references(options.references)
    with networks.counting_bar(options, "trainings") as progress:
        judged = two_fold(
            {str(name): caption for name, caption in candidates.items()},
            {str(name): captions for name, captions in people.items()},
            _vectors(options, recipe),
            recipe,
            seeds=range(options.seeds),
            progress=progress,
        )
    if options.output is not None:
        scores = judged.scores.mean(axis=0).tolist()
        write_columns(options.output, {"id": list(judged.images), "leic": scores})
    data = {
        "images": len(judged.images),
        "score": judged.score,
        "of_people": float(judged.people.mean()),
        "lowest_seed": float(np.min(judged.by_seed)),
        "highest_seed": float(np.max(judged.by_seed)),
    }
    networks.print_figures(options, data)


def _recipe(options: argparse.Namespace, seed: int) -> CriticRecipe:
    given = {
        field.name: getattr(options, field.name)
        for field in fields(CriticRecipe)
        if getattr(options, field.name, None) is not None
    }
    given["seed"] = seed
    given["context"] = options.context or (BOTH if options.features else REFERENCE)
    if options.others is not None:
        given["others"] = networks.read_shares("--others", options.others)
    recipe = CriticRecipe(**given)
    if recipe.sees and options.features is None:
        raise InputError(f"--context {recipe.context} needs image vectors; give --features FILE")
    return recipe


def _vectors(options: argparse.Namespace, recipe: CriticRecipe) -> ImageVectors | None:
    from captious.images.vectors import read_image_vectors

    return read_image_vectors(options.features) if recipe.sees else None


def _written(paths: Sequence[str]) -> Mapping[str, list[str]]:
    """What captioners wrote of each image, from all files."""
    from captious.io.captions import read_candidates

    written: dict[str, list[str]] = {}
    for path in paths:
        for name, caption in read_candidates(path).captions.items():
            written.setdefault(str(name), []).append(caption)
    return written
