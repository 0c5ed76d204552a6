"""What the parts of `captious critic` do, once their options are read."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from captious.cli.training_output import (
    check_npz,
    counting_bar,
    epoch_bar,
    print_figures,
    read_shares,
)
from captious.critic.recipe import BOTH, REFERENCE, WRITTEN, CriticRecipe
from captious.errors import InputError
from captious.files.text_files import check_writable

if TYPE_CHECKING:
    from captious.images.vectors import ImageVectors


def run_train(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    from captious.backends.pytorch import import_torch
    from captious.io.image_captions import read_two_splits
    from captious.training.critics.captions import CriticCaptions
    from captious.training.critics.training import train

    recipe = _recipe(options, options.seed)
    check_npz(options.output)
    import_torch()
    if options.checkpoint is not None:
        check_writable(options.checkpoint)
    learned, judged = read_two_splits(options.captions, options.images, options.validation)
    vectors = _vectors(options, recipe)
    machines = {
        kind: _written(getattr(options, kind)) for kind in WRITTEN if getattr(options, kind)
    }
    with epoch_bar(options) as progress:
        trained = train(
            CriticCaptions.of(learned, machines, vectors),
            CriticCaptions.of(judged, machines, vectors),
            recipe,
            checkpoint=options.checkpoint,
            progress=progress,
        )
    trained.critic.save(options.output)
    best = trained.curve[trained.best - 1]
    data = {
        "output": options.output,
        "context": recipe.context,
        "fusion": recipe.fusion,
        "words": len(trained.critic.vocabulary.words),
        "epoch": trained.best,
        "epochs": len(trained.curve),
        "loss": best.loss,
        "validation_loss": best.validation_loss,
        "validation_performance": best.performance,
    }
    print_figures(options, data)


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
    said = read_candidates(options.candidates).captions
    people = read_references(options.references)
    with counting_bar(options, "trainings") as progress:
        found = two_fold(
            {str(name): caption for name, caption in said.items()},
            {str(name): captions for name, captions in people.items()},
            _vectors(options, recipe),
            recipe,
            seeds=range(options.seeds),
            progress=progress,
        )
    if options.output is not None:
        scores = found.scores.mean(axis=0).tolist()
        write_columns(options.output, {"id": list(found.images), "leic": scores})
    data = {
        "images": len(found.images),
        "score": found.score,
        "of_people": float(found.people.mean()),
        "lowest_seed": float(np.min(found.by_seed)),
        "highest_seed": float(np.max(found.by_seed)),
    }
    print_figures(options, data)


def _recipe(options: argparse.Namespace, seed: int) -> CriticRecipe:
    given = {
        field.name: getattr(options, field.name)
        for field in fields(CriticRecipe)
        if field.name in vars(options)
    }
    given["seed"] = seed
    given["context"] = options.context or (BOTH if options.features else REFERENCE)
    if options.others is None:
        del given["others"]
    else:
        given["others"] = read_shares("--others", options.others)
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

    found: dict[str, list[str]] = {}
    for path in paths:
        for name, caption in read_candidates(path).captions.items():
            found.setdefault(str(name), []).append(caption)
    return found
