"""captious captioner: train a captioner, tune it, let it write, or see what it gives to words."""

from __future__ import annotations

import argparse
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

from captious._internal.checks.bounds import BEAM, POSITIVE, WEIGHT, WORDS
from captious.captioners.captioner import load_captioner
from captious.captioners.examples import Examples
from captious.captioners.generation import generate, sample
from captious.captioners.recipe import (
    ARCHITECTURES,
    DEFAULTS_BY_ARCHITECTURE,
    CaptionerRecipe,
    default_recipe,
)
from captious.captioners.search import LENGTH_POWER
from captious.cli.networks import declare_recipe_options, print_trained, read_captions
from captious.cli.options import AddOption
from captious.cli.output import check_npz, check_table_output, print_figures, print_table
from captious.cli.progress import counting_bar, training_bar
from captious.errors import InputError
from captious.images.vectors import read_image_vectors
from captious.io.formats import write_columns
from captious.io.training_captions import read_image_captions, read_image_names
from captious.pregen.captioner_probabilities import cross_entropy, word_probabilities
from captious.pregen.files import write_probabilities
from captious.training.captioners.training import train
from captious.training.captioners.tuning import BASELINES, TuningRecipe, tune

DESCRIPTION = """Small captioners over image vectors: train one, fine-tune it with a metric as
reward, generate captions, or compute the probability of each word of given captions."""
EXAMPLES = """examples:
  captious captioner train --features vectors.npz --captions train.jsonl --validation dev.jsonl \\
      --architecture merge --output merge.npz
  captious captioner tune merge.npz --features vectors.npz --captions train.jsonl \\
      --validation dev.jsonl --reward cider_d --output tuned.npz
  captious captioner generate merge.npz --features vectors.npz --output candidates.json
  captious captioner probabilities merge.npz --features vectors.npz --captions dev.jsonl \\
      --output probabilities.npz
"""
DEFAULT_BEAM = 3
VALUES = {  # of the recipe, in the words of the help
    "size": "size of word embeddings, image embedding and hidden state",
    "spread": "standard deviation of the initial word embeddings",
    "input_gain": "gain of the initial input weights",
    "forget_bias": "initial bias of the forget gates",
    "dropout": "dropout rate of words and states",
    "image_dropout": "dropout rate of the image",
    "batch": "captions per batch",
    "epochs": "maximum number of epochs",
    "seed": "random seed",
}
TUNING_VALUES = {
    "samples": "captions sampled per image",
    "longest": "maximum length of a caption, in words",
    "beam": "beam width of the captions that validate an epoch; 1 is greedy",
    "batch": "images per batch",
    "epochs": "maximum number of epochs",
    "seed": "random seed",
}


def declare_train(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("--features")
    add_option("--captions")
    add_option("--images")
    add_option("--validation")
    recipe = CaptionerRecipe()
    places = "; ".join(f"{name}: {what}" for name, what in ARCHITECTURES.items())
    where = f"where the image enters: {places}"
    add_option("--architecture", where, choices=ARCHITECTURES, default=recipe.architecture)
    declare_recipe_options(add_option, recipe, VALUES, _exceptions)
    add_option(
        "--standardise",
        "standardise image vectors: mean 0 and standard deviation 1",
        default_text=f"{recipe.standardise}{_exceptions('standardise')}",
        action=argparse.BooleanOptionalAction,
    )
    add_option("--half")
    add_option("--output", "weights, named .npz", required=True, metavar="FILE")
    add_option("--checkpoint")
    add_option("--keep-epochs", "a folder for a checkpoint of each epoch", metavar="DIR")


def _exceptions(name: str) -> str:
    """What is usual of some architectures alone."""
    values = {
        each: values[name] for each, values in DEFAULTS_BY_ARCHITECTURE.items() if name in values
    }
    return "".join(f", {architecture}: {value}" for architecture, value in values.items())


def run_train(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    names = [field.name for field in fields(CaptionerRecipe)]
    recipe = default_recipe(**{name: getattr(options, name) for name in names})
    training, validation = read_captions(options)
    vectors = read_image_vectors(options.features)
    if options.keep_epochs is not None:  # after what may be wrong with files: an error leaves none
        _make_folder(options.keep_epochs)
    with training_bar(options) as progress:
        trained = train(
            Examples.of(training, vectors),
            Examples.of(validation, vectors),
            recipe,
            checkpoint=options.checkpoint,
            keep_epochs=options.keep_epochs,
            progress=progress,
        )
    trained.model.save(options.output)
    best = trained.best_point
    loss = best["validation_loss"]
    measures = {"loss": loss, "perplexity": math.exp(loss), "share_first": best["share_first"]}
    print_trained(options, trained, {"architecture": recipe.architecture}, measures)


def _make_folder(path: str) -> None:
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: not a folder to write to ({error.strerror})") from None


def declare_tune(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("model", "the .npz that train or tune wrote", metavar="CAPTIONER")
    add_option("--features")
    add_option("--captions")
    add_option("--images")
    add_option("--validation")
    recipe = TuningRecipe()
    rewarded = "the metric used as reward, or several with weights, as in cider_d=1,captious=.5"
    add_option("--reward", rewarded, default=recipe.reward, metavar="METRIC")
    add_option(
        "--end-word", "the reward counts the end of a caption as a word", action="store_true"
    )
    against = "; ".join(f"{name}: {what}" for name, what in BASELINES.items())
    baseline = f"baseline of a sample's reward: {against}"
    add_option("--baseline", baseline, choices=BASELINES, default=recipe.baseline)
    declare_recipe_options(add_option, recipe, TUNING_VALUES)
    add_option("--half")
    add_option("--output", "weights, named .npz", required=True, metavar="FILE")
    add_option("--checkpoint")


def run_tune(options: argparse.Namespace) -> None:
    """Tune, write, and print what came of it."""
    names = [field.name for field in fields(TuningRecipe)]
    given = {name: getattr(options, name) for name in names}
    recipe = TuningRecipe(**{name: value for name, value in given.items() if value is not None})
    training, validation = read_captions(options)
    captioner = load_captioner(options.model)
    vectors = read_image_vectors(options.features)
    with training_bar(options) as progress:
        trained = tune(
            captioner,
            vectors,
            training,
            validation,
            recipe,
            checkpoint=options.checkpoint,
            progress=progress,
        )
    trained.model.save(options.output)
    measures = {
        "reward_before": trained.model.notes["validation_reward_before"],
        "reward": trained.best_point["validation_reward"],
        "different": trained.best_point["different"],
        "words": trained.best_point["words"],
    }
    print_trained(options, trained, {"reward": recipe.reward}, measures)


def declare_generate(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("model", "the .npz that train or tune wrote", metavar="CAPTIONER")
    add_option("--features")
    add_option("--images")
    add_option("--beam", "beam width; 1 is greedy", default_text=DEFAULT_BEAM, bounds=BEAM)
    power = "length normalisation: captions are ranked by ln p / words**P; 0 favours short ones"
    add_option("--length-power", power, bounds=WEIGHT, default=LENGTH_POWER, metavar="P")
    add_option(
        "--temperature", "sample words instead, at this temperature", bounds=POSITIVE, metavar="T"
    )
    add_option("--samples", "sampled captions per image", default_text=1, bounds=WORDS)
    add_option("--seed")
    add_option("--longest", "maximum length of a caption, in words", bounds=WORDS, default=30)
    add_option("--output", ".json, .jsonl, .csv, .tsv or .parquet", metavar="FILE")


def run_generate(options: argparse.Namespace) -> None:
    """Write captions, into a file or onto standard output."""
    if options.beam is not None and options.temperature is not None:
        raise InputError("give --beam or --temperature, not both")
    if options.samples is not None and options.temperature is None:
        raise InputError("--samples needs --temperature: beam search finds one caption")
    check_table_output(options.output)
    captioner = load_captioner(options.model)
    vectors = read_image_vectors(options.features)
    if options.images is not None:
        vectors = vectors.take(read_image_names(options.images))
    with counting_bar(options) as progress:
        if options.temperature is None:
            best = generate(
                captioner,
                vectors,
                beam=DEFAULT_BEAM if options.beam is None else options.beam,
                length_power=options.length_power,
                longest=options.longest,
                progress=progress,
            )
            written = [[caption] for caption in best]
        else:
            written = sample(
                captioner,
                vectors,
                temperature=options.temperature,
                number=1 if options.samples is None else options.samples,
                longest=options.longest,
                seed=options.seed,
                progress=progress,
            )
    columns: dict[str, list[Any]] = {
        "id": [name for name, each in zip(vectors.names, written, strict=True) for _ in each],
        "candidate": [text.caption for each in written for text in each],
        "log_probability": [text.log_probability for each in written for text in each],
    }
    if options.output is not None:
        write_columns(options.output, columns)
        print_figures(options, {"output": options.output, "captions": len(columns["id"])})
        return
    header = list(columns)
    data = [dict(zip(header, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rows = [[row["id"], row["candidate"], f"{row['log_probability']:.2f}"] for row in data]
    print_table(options.format, header, rows, data, 2)


def declare_probabilities(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("model", "the .npz that train or tune wrote", metavar="CAPTIONER")
    add_option("--features")
    add_option("--captions")
    add_option("--images")
    add_option("--output", "named .npz", required=True, metavar="FILE")


def run_probabilities(options: argparse.Namespace) -> None:
    """Write word probabilities, and print what they come to."""
    check_npz(options.output)
    captioner = load_captioner(options.model)
    captions = read_image_captions(options.captions, options.images)
    vectors = read_image_vectors(options.features)
    with counting_bar(options) as progress:
        words = word_probabilities(captioner, captions, vectors, progress=progress)
    write_probabilities(options.output, words)
    loss = cross_entropy(words)
    data = {
        "output": options.output,
        "images": words.n_images,
        "captions": words.n_captions,
        "words": len(words.probabilities),
        "loss": loss,
        "perplexity": math.exp(loss),
        "share_first": float(words.is_first.mean()),
    }
    print_figures(options, data)


PARTS = {
    "train": ("train a captioner on people's captions", declare_train, run_train),
    "tune": ("tune a captioner with a metric as its reward", declare_tune, run_tune),
    "generate": ("write captions of images", declare_generate, run_generate),
    "probabilities": (
        "the probability of each word of given captions",
        declare_probabilities,
        run_probabilities,
    ),
}
