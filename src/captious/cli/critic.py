"""captious critic: train a critic of captions, or let critics judge a whole system."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np

from captious._internal.backends.pytorch import import_torch
from captious._internal.checks.bounds import COUNT
from captious.cli.networks import declare_recipe_options, print_trained, read_captions, read_shares
from captious.cli.options import AddOption
from captious.cli.output import check_table_output, print_figures
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
    "hidden": "units of the fusion mlp",
    "sketch": "size of the fusion bilinear",
    "longest": "captions are truncated to so many words",
    "contrast": "weight of the contrastive task: to find a caption's context among several",
    "contexts": "number of contexts in that task",
    "dropout": "dropout rate",
    "batch": "captions per batch, half of them human",
    "epochs": "maximum number of epochs",
}


def declare_train(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("--captions", help="human captions by image")
    add_option("--images")
    add_option("--validation")
    for kind, written in (("machine", "by beam search"), ("sampled", "sampled")):
        _declare_written(
            add_option,
            f"--{kind}",
            f"captions from `captious captioner generate`, {written}, of all images, those for "
            "validation included",
        )
    _declare_recipe(add_option, CriticRecipe().others)
    add_option("--output", "weights, named .npz", required=True, metavar="FILE")
    add_option("--checkpoint")
    add_option("--seed")


def run_train(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    recipe = _recipe(options, options.seed)
    training, validation = read_captions(options)
    vectors = _vectors(options, recipe)
    machines = {
        kind: _written(paths) for kind in CAPTIONER_NEGATIVES if (paths := getattr(options, kind))
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


def declare_judge(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("candidates", "a system's captions, one or several per image, as for captious score")
    add_option("--references", "human captions, at least two per image", required=True)
    _declare_written(
        add_option,
        "--sampled",
        "sampled captions of all images: further negatives for training, which are not judged",
    )
    add_option("--seeds", "number of trainings to average", bounds=COUNT, default=3)
    add_option("--output", "write one row per image to this file", metavar="FILE")
    _declare_recipe(add_option, judging_recipe().others)


def run_judge(options: argparse.Namespace) -> None:
    """Judge a system in two folds, and print its score."""
    recipe = _recipe(options, 0, judging_recipe().others)
    check_table_output(options.output)
    import_torch()
    candidates = read_generated_captions(options.candidates)
    people = read_references(options.references)
    sampled = _written(options.sampled) or None
    with counting_bar(options, "trainings") as progress:
        judged = two_fold(
            candidates,
            people,
            _vectors(options, recipe),
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
            f"{low:+.3f} to {high:+.3f} more, 95 % over images), so the score says nothing of the "
            "system: give more images or epochs, or a larger share of machine (--others)"
        )


def _declare_written(add_option: AddOption, option: str, what: str) -> None:
    several = "several captions per image are allowed; may be given several times"
    add_option(option, f"{what}; {several}", metavar="FILE", action="append", default=[])


def _declare_recipe(add_option: AddOption, others: Mapping[str, float]) -> None:
    recipe = CriticRecipe()
    add_option(
        "--features",
        "image vectors: an .npz with the arrays `files` and `features`; not needed with --context "
        "reference",
        metavar="FILE",
    )
    default_text = "both with --features, else reference"
    add_option(
        "--context",
        "what the critic reads besides the candidate",
        default_text=default_text,
        choices=CONTEXTS,
    )
    add_option(
        "--fusion", "how candidate and context are combined", choices=FUSIONS, default=recipe.fusion
    )
    released = "released: captions of 15 words or more are zero vectors, as in the released code"
    add_option(
        "--variant",
        released,
        choices=VARIANTS,
        default_text=f"{recipe.variant}{_exceptions('variant')}",
    )
    what = "train as the released code does, with its settings as defaults"
    add_option("--as-released", what, action="store_true")
    shares = ",".join(f"{kind}={share:g}" for kind, share in others.items())
    add_option("--others", "shares of the negatives", default_text=shares, metavar="KIND=SHARE,...")
    add_option("--similar", "also take random captions from similar images", action="store_true")
    declare_recipe_options(add_option, recipe, VALUES, _exceptions)
    add_option("--half")


def _exceptions(name: str) -> str:
    """What is usual with --as-released alone."""
    return f", as released: {RELEASED_SETTINGS[name]}" if name in RELEASED_SETTINGS else ""


def _recipe(
    options: argparse.Namespace, seed: int, others: Mapping[str, float] | None = None
) -> CriticRecipe:
    """As the options say; `others` unless they say other shares."""
    given = {
        field.name: getattr(options, field.name)
        for field in fields(CriticRecipe)
        if getattr(options, field.name, None) is not None
    }
    given["seed"] = seed
    given["context"] = options.context or (BOTH if options.features else REFERENCE)
    if options.others is not None:
        given["others"] = read_shares("--others", options.others)
    elif others is not None:
        given["others"] = dict(others)
    del given["as_released"]
    recipe = released_recipe(**given) if options.as_released else CriticRecipe(**given)
    if recipe.uses_images and options.features is None:
        raise InputError(f"--context {recipe.context} needs image vectors; give --features FILE")
    return recipe


def _vectors(options: argparse.Namespace, recipe: CriticRecipe) -> ImageVectors | None:
    return read_image_vectors(options.features) if recipe.uses_images else None


def _written(paths: Sequence[str]) -> dict[str, list[str]]:
    """What captioners wrote of each image, from all files."""
    written: dict[str, list[str]] = {}
    for path in paths:
        for name, captions in read_generated_captions(path).items():
            written.setdefault(name, []).extend(captions)
    return written


PARTS = {
    "train": ("train a critic on human captions and negatives", declare_train, run_train),
    "judge": (
        "score a system in two folds, with critics trained against its captions of the other fold",
        declare_judge,
        run_judge,
    ),
}
