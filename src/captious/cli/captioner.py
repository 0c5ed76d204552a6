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
from captious.captioners.generation import LENGTH_POWER, generate, sample
from captious.captioners.recipe import (
    ARCHITECTURES,
    DEFAULTS_BY_ARCHITECTURE,
    CaptionerRecipe,
    default_recipe,
)
from captious.cli.inputs import load_training_data
from captious.cli.options import add_recipe_options, add_shared_options, number_in
from captious.cli.output import (
    check_npz,
    check_table_output,
    print_figures,
    print_table,
    print_trained,
)
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


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_shared_options(parser, "--features", "--captions", "--images", "--validation")
    recipe = CaptionerRecipe()
    places = "; ".join(f"{name}: {what}" for name, what in ARCHITECTURES.items())
    parser.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        default=recipe.architecture,
        help=f"where the image enters: {places}",
    )
    add_recipe_options(parser, recipe, VALUES, _describe_exceptions)
    parser.add_argument(
        "--standardise",
        action=argparse.BooleanOptionalAction,
        help="standardise image vectors: mean 0 and standard deviation 1 (default: "
        f"{recipe.standardise}{_describe_exceptions('standardise')})",
    )
    add_shared_options(parser, "--half")
    parser.add_argument("--output", required=True, metavar="FILE", help="weights, named .npz")
    add_shared_options(parser, "--checkpoint")
    parser.add_argument(
        "--keep-epochs", metavar="DIR", help="a folder for a checkpoint of each epoch"
    )


def _describe_exceptions(name: str) -> str:
    """Return the defaults that differ between architectures, as the help shows them."""
    values = {
        each: values[name] for each, values in DEFAULTS_BY_ARCHITECTURE.items() if name in values
    }
    return "".join(f", {architecture}: {value}" for architecture, value in values.items())


def run_train(options: argparse.Namespace) -> None:
    """Train a captioner, write its weights and print the figures."""
    names = [field.name for field in fields(CaptionerRecipe)]
    recipe = default_recipe(**{name: getattr(options, name) for name in names})
    training, validation = load_training_data(options)
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


def add_tune_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("model", metavar="CAPTIONER", help="the .npz that train or tune wrote")
    add_shared_options(parser, "--features", "--captions", "--images", "--validation")
    recipe = TuningRecipe()
    parser.add_argument(
        "--reward",
        default=recipe.reward,
        metavar="METRIC",
        help="the metric used as reward, or several with weights, as in cider_d=1,captious=.5",
    )
    parser.add_argument(
        "--end-word", action="store_true", help="the reward counts the end of a caption as a word"
    )
    against = "; ".join(f"{name}: {what}" for name, what in BASELINES.items())
    parser.add_argument(
        "--baseline",
        choices=BASELINES,
        default=recipe.baseline,
        help=f"baseline of a sample's reward: {against}",
    )
    add_recipe_options(parser, recipe, TUNING_VALUES)
    add_shared_options(parser, "--half")
    parser.add_argument("--output", required=True, metavar="FILE", help="weights, named .npz")
    add_shared_options(parser, "--checkpoint")


def run_tune(options: argparse.Namespace) -> None:
    """Tune a captioner, write its weights and print the figures."""
    names = [field.name for field in fields(TuningRecipe)]
    settings = {name: getattr(options, name) for name in names}
    recipe = TuningRecipe(**{name: value for name, value in settings.items() if value is not None})
    training, validation = load_training_data(options)
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


def add_generate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("model", metavar="CAPTIONER", help="the .npz that train or tune wrote")
    add_shared_options(parser, "--features", "--images")
    parser.add_argument(
        "--beam",
        type=number_in(BEAM),
        metavar="N",
        help=f"beam width; 1 is greedy (default: {DEFAULT_BEAM})",
    )
    parser.add_argument(
        "--length-power",
        type=number_in(WEIGHT),
        default=LENGTH_POWER,
        metavar="P",
        help="length normalization: captions are ranked by ln p / words**P; 0 favours short ones",
    )
    parser.add_argument(
        "--temperature",
        type=number_in(POSITIVE),
        metavar="T",
        help="sample words instead, at this temperature",
    )
    parser.add_argument(
        "--samples",
        type=number_in(WORDS),
        metavar="N",
        help=f"sampled captions per image (default: {1})",
    )
    add_shared_options(parser, "--seed")
    parser.add_argument(
        "--longest",
        type=number_in(WORDS),
        default=30,
        metavar="N",
        help="maximum length of a caption, in words",
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="write captions to this .json, .jsonl, .csv, .tsv or .parquet file",
    )


def run_generate(options: argparse.Namespace) -> None:
    """Generate captions, and write them to a file or print them."""
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
            captions_of_images = [[caption] for caption in best]
        else:
            captions_of_images = sample(
                captioner,
                vectors,
                temperature=options.temperature,
                number=1 if options.samples is None else options.samples,
                longest=options.longest,
                seed=options.seed,
                progress=progress,
            )
    columns: dict[str, list[Any]] = {
        "id": [
            name for name, each in zip(vectors.names, captions_of_images, strict=True) for _ in each
        ],
        "candidate": [text.caption for each in captions_of_images for text in each],
        "log_probability": [text.log_probability for each in captions_of_images for text in each],
    }
    if options.output is not None:
        write_columns(options.output, columns)
        print_figures(options, {"output": options.output, "captions": len(columns["id"])})
        return
    header = list(columns)
    data = [dict(zip(header, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rows = [[row["id"], row["candidate"], f"{row['log_probability']:.2f}"] for row in data]
    print_table(options.format, header, rows, data, 2)


def add_probabilities_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("model", metavar="CAPTIONER", help="the .npz that train or tune wrote")
    add_shared_options(parser, "--features", "--captions", "--images")
    parser.add_argument(
        "--output", required=True, metavar="FILE", help="word probabilities, named .npz"
    )


def run_probabilities(options: argparse.Namespace) -> None:
    """Write word probabilities, and print loss and perplexity."""
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


SUBCOMMANDS = {
    "train": ("train a captioner on human captions", add_train_arguments, run_train),
    "tune": ("tune a captioner with a metric as its reward", add_tune_arguments, run_tune),
    "generate": ("write captions of images", add_generate_arguments, run_generate),
    "probabilities": (
        "compute the probability of each word of given captions",
        add_probabilities_arguments,
        run_probabilities,
    ),
}
