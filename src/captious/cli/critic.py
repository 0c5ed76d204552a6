"""captious critic: train a critic of captions, or let critics judge a whole system."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np

from captious._internal.backends.pytorch import import_torch
from captious._internal.checks.bounds import COUNT
from captious.cli.inputs import load_training_data
from captious.cli.options import (
    OptionContainer,
    add_recipe_options,
    add_shared_options,
    format_shares,
    number_in,
    parse_shares,
)
from captious.cli.output import check_table_output, print_figures, print_trained
from captious.cli.progress import counting_bar, training_bar
from captious.errors import InputError, warn
from captious.images.vectors import ImageVectors, read_image_vectors
from captious.io.captions import read_references
from captious.io.formats import write_columns
from captious.io.training_captions import read_generated_captions
from captious.metrics.leic.recipe import (
    BOTH,
    CAPTIONER_NEGATIVES,
    CONTEXTS,
    FUSIONS,
    REFERENCE,
    RELEASED_SETTINGS,
    CriticRecipe,
    released_recipe,
)
from captious.metrics.parameters import VARIANTS
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.training import train
from captious.training.critics.two_fold import DIFFERENCE, SYSTEM, judging_recipe, two_fold

DESCRIPTION = """Critics as in LEIC, which read image, reference and candidate: train one against
machine-generated and transformed captions, or judge a system's whole output with critics trained
against it."""
EXAMPLES = """examples:
  captious critic train --captions train.jsonl --validation dev.jsonl --features vectors.npz \\
      --machine written.json --output critic.npz
  captious score candidates.json --references refs.json --metrics leic --critic critic.npz \\
      --images vectors.npz
  captious critic judge candidates.json --references refs.json --features vectors.npz
"""
VALUES = {  # of the recipe, in the words of the help
    "size": "size of caption and image embeddings",
    "hidden": "hidden units of --fusion mlp",
    "sketch": "size of the sketch of --fusion bilinear",
    "longest": "captions are truncated to so many words",
    "contrast": "weight of the contrastive task: to find a caption's context among several",
    "contexts": "number of contexts in that task",
    "dropout": "dropout rate",
    "batch": "captions per batch, half of them human",
    "epochs": "maximum number of epochs",
}


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--captions", required=True, metavar="FILE", help="human captions by image")
    add_shared_options(parser, "--images", "--validation")
    for kind, decoding in (("machine", "by beam search"), ("sampled", "sampled")):
        _add_caption_files(
            parser,
            f"--{kind}",
            f"captions from `captious captioner generate`, {decoding}, of all images, "
            "those for validation included",
        )
    _add_recipe_options(parser, CriticRecipe().others)
    parser.add_argument("--output", required=True, metavar="FILE", help="weights, named .npz")
    add_shared_options(parser, "--checkpoint", "--seed")


def run_train(options: argparse.Namespace) -> None:
    """Train a critic, write its weights and print the figures."""
    recipe = _build_recipe(options, options.seed)
    training, validation = load_training_data(options)
    vectors = _read_vectors(options, recipe)
    machines = {
        kind: _read_generated(paths)
        for kind in CAPTIONER_NEGATIVES
        if (paths := getattr(options, kind))
    }
    with training_bar(options) as progress:
        trained = train(
            CriticCaptions.of(training, machines, vectors),
            CriticCaptions.of(validation, machines, vectors),
            recipe,
            checkpoint=options.checkpoint,
            progress=progress,
        )
    trained.model.save(options.output)
    about = {"context": recipe.context, "fusion": recipe.fusion}
    best = trained.best_point
    measures = {"loss": best["validation_loss"], "performance": best["performance"]}
    print_trained(options, trained, about, measures)


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "candidates",
        help="a system's captions, one or several per image, as for captious score",
    )
    parser.add_argument(
        "--references", required=True, metavar="FILE", help="human captions, at least two per image"
    )
    _add_caption_files(
        parser,
        "--sampled",
        "sampled captions of all images: further negatives for training, which are not judged",
    )
    parser.add_argument(
        "--seeds",
        type=number_in(COUNT),
        default=3,
        metavar="N",
        help="number of trainings to average",
    )
    parser.add_argument("--output", metavar="FILE", help="write one row per image to this file")
    _add_recipe_options(parser, judging_recipe().others)


def run_judge(options: argparse.Namespace) -> None:
    """Judge a system in two folds, and print its score."""
    recipe = _build_recipe(options, 0, judging_recipe().others)
    check_table_output(options.output)
    import_torch()
    candidates = read_generated_captions(options.candidates)
    people = read_references(options.references)
    sampled = _read_generated(options.sampled) or None
    with counting_bar(options, "trainings") as progress:
        judged = two_fold(
            candidates,
            people,
            _read_vectors(options, recipe),
            recipe,
            sampled=sampled,
            seeds=range(options.seeds),
            progress=progress,
        )
    if options.output is not None:
        scores = judged.scores.mean(axis=0).tolist()
        write_columns(options.output, {"id": list(judged.images), "leic": scores})
    data = {
        "images": len(judged.images),
        "score": judged.score,
        "low": judged.intervals[SYSTEM][0],
        "high": judged.intervals[SYSTEM][1],
        "of_people": float(judged.people.mean()),
        "lowest_seed": float(np.min(judged.by_seed)),
        "highest_seed": float(np.max(judged.by_seed)),
        "told_apart": judged.people_score_higher,
    }
    print_figures(options, data)
    if not judged.people_score_higher:
        low, high = judged.intervals[DIFFERENCE]
        warn(
            "the critics cannot tell the system's captions from human ones (human captions score "
            f"{low:+.3f} to {high:+.3f} more, 95% over images), so the score says nothing of the "
            "system: give more images or epochs, or a larger share of machine (--others)"
        )


def _add_caption_files(parser: OptionContainer, option: str, what: str) -> None:
    parser.add_argument(
        option,
        action="append",
        default=[],
        metavar="FILE",
        help=f"{what}; several captions per image are allowed; may be given several times",
    )


def _add_recipe_options(parser: OptionContainer, others: Mapping[str, float]) -> None:
    recipe = CriticRecipe()
    parser.add_argument(
        "--features",
        metavar="FILE",
        help="image vectors: an .npz with the arrays `files` and `features`; not needed "
        "with --context reference",
    )
    parser.add_argument(
        "--context",
        choices=CONTEXTS,
        help="what the critic reads besides the candidate (default: both with --features, "
        "else reference)",
    )
    parser.add_argument(
        "--fusion",
        choices=FUSIONS,
        default=recipe.fusion,
        help="how candidate and context are combined",
    )
    parser.add_argument(
        "--variant",
        choices=VARIANTS,
        help="released: captions of 15 words or more are zero vectors, as in LEIC's released "
        f"code (default: {recipe.variant}{_describe_exceptions('variant')})",
    )
    parser.add_argument(
        "--as-released",
        action="store_true",
        help="train as the released code does, with its settings as defaults",
    )
    parser.add_argument(
        "--others",
        metavar="KIND=SHARE,...",
        help=f"kinds of negatives and their shares (default: {format_shares(others)})",
    )
    parser.add_argument(
        "--similar", action="store_true", help="also take random captions from similar images"
    )
    add_recipe_options(parser, recipe, VALUES, _describe_exceptions)
    add_shared_options(parser, "--half")


def _describe_exceptions(name: str) -> str:
    """Return the default that --as-released changes, as the help shows it."""
    return f", as released: {RELEASED_SETTINGS[name]}" if name in RELEASED_SETTINGS else ""


def _build_recipe(
    options: argparse.Namespace, seed: int, others: Mapping[str, float] | None = None
) -> CriticRecipe:
    """Build the recipe from options; `others` are the shares of negatives without --others."""
    settings = {
        field.name: getattr(options, field.name)
        for field in fields(CriticRecipe)
        if getattr(options, field.name, None) is not None
    }
    settings["seed"] = seed
    settings["context"] = options.context or (BOTH if options.features else REFERENCE)
    if options.others is not None:
        settings["others"] = parse_shares("--others", options.others)
    elif others is not None:
        settings["others"] = dict(others)
    del settings["as_released"]
    recipe = released_recipe(**settings) if options.as_released else CriticRecipe(**settings)
    if recipe.uses_images and options.features is None:
        raise InputError(f"--context {recipe.context} needs image vectors; give --features FILE")
    return recipe


def _read_vectors(options: argparse.Namespace, recipe: CriticRecipe) -> ImageVectors | None:
    return read_image_vectors(options.features) if recipe.uses_images else None


def _read_generated(paths: Sequence[str]) -> dict[str, list[str]]:
    """Read all files of generated captions, by image."""
    captions_by_image: dict[str, list[str]] = {}
    for path in paths:
        for name, captions in read_generated_captions(path).items():
            captions_by_image.setdefault(name, []).extend(captions)
    return captions_by_image


SUBCOMMANDS = {
    "train": ("train a critic on human captions and negatives", add_train_arguments, run_train),
    "judge": (
        "score a system in two folds, with critics trained against its captions of the other fold",
        add_judge_arguments,
        run_judge,
    ),
}
