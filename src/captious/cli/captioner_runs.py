"""What the three parts of `captious captioner` do, once their options are read."""

from __future__ import annotations

import argparse
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

from captious.captioners.recipe import CaptionerRecipe, usual_recipe
from captious.cli.output import print_table
from captious.cli.training_output import check_npz, counting_bar, epoch_bar, print_figures
from captious.errors import InputError
from captious.files.text_files import check_writable


def run_train(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    from captious.backends.pytorch import import_torch
    from captious.captioners.examples import Examples
    from captious.images.vectors import read_image_vectors
    from captious.io.image_captions import read_two_splits
    from captious.training.captioners.training import train

    names = [field.name for field in fields(CaptionerRecipe)]
    recipe = usual_recipe(**{name: getattr(options, name) for name in names})
    check_npz(options.output)
    import_torch()
    if options.checkpoint is not None:
        check_writable(options.checkpoint)
    captions, judged = read_two_splits(options.captions, options.images, options.validation)
    vectors = read_image_vectors(options.features)
    if options.keep_epochs is not None:  # after what may be wrong with files: an error leaves none
        _make_folder(options.keep_epochs)
    with epoch_bar(options) as progress:
        trained = train(
            Examples.of(captions, vectors),
            Examples.of(judged, vectors),
            recipe,
            checkpoint=options.checkpoint,
            keep_epochs=options.keep_epochs,
            progress=progress,
        )
    trained.captioner.save(options.output)
    best = trained.curve[trained.best - 1]
    data = {
        "output": options.output,
        "architecture": recipe.architecture,
        "words": len(trained.captioner.vocabulary.words),
        "epoch": trained.best,
        "epochs": len(trained.curve),
        "loss": best.loss,
        "validation_loss": best.validation_loss,
        "validation_perplexity": math.exp(best.validation_loss),
        "validation_share_first": best.share_first,
    }
    print_figures(options, data)


def run_generate(options: argparse.Namespace) -> None:
    """Write captions, into a file or onto standard output."""
    from captious.captioners.captioner import load_captioner
    from captious.captioners.generation import generate, sample
    from captious.images.vectors import read_image_vectors
    from captious.io.formats import format_of, write_columns
    from captious.io.image_captions import read_names

    if options.beam is not None and options.temperature is not None:
        raise InputError("give --beam or --temperature, not both")
    if options.samples is not None and options.temperature is None:
        raise InputError("--samples needs --temperature: beam search finds one caption")
    if options.output is not None:
        format_of(options.output)
        check_writable(options.output)
    captioner = load_captioner(options.model)
    vectors = read_image_vectors(options.features)
    if options.images is not None:
        vectors = vectors.take(read_names(options.images))
    with counting_bar(options) as progress:
        if options.temperature is None:
            beam = 3 if options.beam is None else options.beam
            found = [
                [caption]
                for caption in generate(
                    captioner,
                    vectors,
                    beam=beam,
                    length_power=options.length_power,
                    longest=options.longest,
                    progress=progress,
                )
            ]
        else:
            found = sample(
                captioner,
                vectors,
                temperature=options.temperature,
                number=1 if options.samples is None else options.samples,
                longest=options.longest,
                seed=options.seed,
                progress=progress,
            )
    columns: dict[str, list[Any]] = {
        "id": [name for name, own in zip(vectors.names, found, strict=True) for _ in own],
        "candidate": [one.caption for own in found for one in own],
        "log_probability": [one.log_probability for own in found for one in own],
    }
    if options.output is not None:
        write_columns(options.output, columns)
        print_figures(options, {"output": options.output, "captions": len(columns["id"])})
        return
    header = list(columns)
    data = [dict(zip(header, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rows = [[row["id"], row["candidate"], f"{row['log_probability']:.2f}"] for row in data]
    print_table(options.format, header, rows, data, 2)


def run_probabilities(options: argparse.Namespace) -> None:
    """Write word probabilities, and print what they come to."""
    from captious.captioners.captioner import load_captioner
    from captious.images.vectors import read_image_vectors
    from captious.io.image_captions import read_image_captions
    from captious.pregen.captioner_probabilities import loss_of, word_probabilities
    from captious.pregen.files import write_probabilities

    check_npz(options.output)
    captioner = load_captioner(options.model)
    captions = read_image_captions(options.captions, options.images)
    vectors = read_image_vectors(options.features)
    with counting_bar(options) as progress:
        found = word_probabilities(captioner, captions, vectors, progress=progress)
    write_probabilities(options.output, found)
    loss = loss_of(found)
    data = {
        "output": options.output,
        "images": found.n_images,
        "captions": found.n_captions,
        "words": len(found.probabilities),
        "loss": loss,
        "perplexity": math.exp(loss),
        "share_first": float(found.is_first.mean()),
    }
    print_figures(options, data)


def _make_folder(path: str) -> None:
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: not a folder to write to ({error.strerror})") from None
