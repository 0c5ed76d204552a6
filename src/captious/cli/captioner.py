"""captious captioner: train a captioner, let it write, or see what it gives to given words."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.captioners.recipe import ARCHITECTURES, USUAL, CaptionerRecipe, usual_recipe
from captious.captioners.search import LENGTH_POWER
from captious.checks.bounds import BEAM, POSITIVE, SEED, WEIGHT, WORDS
from captious.cli import networks
from captious.cli.numbers import number
from captious.cli.output import add_output_options, print_table
from captious.errors import InputError
from captious.files.text_files import check_writable

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """examples:
  captious captioner train --features vectors.npz --captions train.jsonl --validation dev.jsonl \\
      --architecture merge --output merge.npz
  captious captioner generate merge.npz --features vectors.npz --output candidates.json
  captious captioner probabilities merge.npz --features vectors.npz --captions dev.jsonl \\
      --output probabilities.npz
"""
VALUES = {  # of the recipe, in the words of the help
    "size": "numbers in a word's vector, the image's, and the state",
    "spread": "deviation of the word vectors before training",
    "input_gain": "of the weights for what the network reads, before training",
    "forget_bias": "of the forget gates, before training",
    "dropout": "share of the words' and the states' numbers left out at random in training",
    "image_dropout": "the same, of the image's",
    "learning_rate": "of Adam, in the first epoch",
    "decay": "factor of the learning rate from epoch to epoch",
    "batch": "captions a step",
    "epochs": "passes over the captions, at most",
    "patience": "epochs to wait for a lower validation loss",
    "least_count": "how often a word must occur to be learnt",
    "seed": "of all chance",
}


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command and its three parts."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "captioner",
        help="train a captioner, or use one",
        description="Small captioners over image vectors: train one, let it write captions, or "
        "see what probability it gives to each word of given captions.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(metavar="train|generate|probabilities", required=True)
    _add_train(parts)
    _add_generate(parts)
    _add_probabilities(parts)


def _add_train(parts: _SubParsersAction[Any]) -> None:
    parser = _part(parts, "train", "train a captioner on people's captions", run_train)
    networks.add_captions(parser)
    usual = CaptionerRecipe()
    parser.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        default=usual.architecture,
        help="where the image goes: "
        + "; ".join(f"{name}: {what}" for name, what in ARCHITECTURES.items())
        + " (default: %(default)s)",
    )
    networks.add_recipe_values(parser, usual, VALUES, _exceptions)
    parser.add_argument(
        "--standardise",
        action=argparse.BooleanOptionalAction,
        help="bring each number of the image vectors to mean 0 and deviation 1 (default: "
        f"{usual.standardise}{_exceptions('standardise')})",
    )
    networks.add_half(parser)
    networks.add_weights_and_checkpoint(parser)
    parser.add_argument(
        "--keep-epochs", metavar="DIR", help="a folder for the weights after each epoch"
    )


def _exceptions(name: str) -> str:
    """What is usual of some architectures alone."""
    return "".join(
        f", {architecture}: {values[name]}"
        for architecture, values in USUAL.items()
        if name in values
    )


def _add_generate(parts: _SubParsersAction[Any]) -> None:
    parser = _part(parts, "generate", "write captions of images", run_generate, model=True)
    parser.add_argument("--images", metavar="FILE", help="only these images: a name a line")
    parser.add_argument(
        "--beam", type=number(BEAM), metavar="N", help="width of the beam; 1 is greedy (default: 3)"
    )
    parser.add_argument(
        "--length-power",
        type=number(WEIGHT),
        default=LENGTH_POWER,
        metavar="P",
        help="captions found are compared by ln p / words**P; 0 favours short ones "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--temperature",
        type=number(POSITIVE),
        metavar="T",
        help="draw words by chance instead; 1 is as is",
    )
    parser.add_argument(
        "--samples",
        type=number(WORDS),
        metavar="N",
        help="captions an image, by chance (default: 1)",
    )
    parser.add_argument(
        "--seed", type=number(SEED), default=0, metavar="N", help="of chance (default: 0)"
    )
    parser.add_argument(
        "--longest",
        type=number(WORDS),
        default=30,
        metavar="N",
        help="words at most (default: %(default)s)",
    )
    parser.add_argument("--output", metavar="FILE", help=".json, .jsonl, .csv or .parquet")


def _add_probabilities(parts: _SubParsersAction[Any]) -> None:
    parser = _part(
        parts, "probabilities", "the probability of each word of given captions",
        run_probabilities, model=True,
    )  # fmt: skip
    networks.add_captions(parser, validation=False)
    parser.add_argument("--output", required=True, metavar="FILE", help="named .npz")


def _part(
    parts: _SubParsersAction[Any],
    name: str,
    what: str,
    run: Callable[[argparse.Namespace], None],
    model: bool = False,
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = parts.add_parser(name, help=what, description=what)
    if model:
        parser.add_argument("model", metavar="CAPTIONER", help="the .npz that train wrote")
    parser.add_argument(
        "--features",
        required=True,
        metavar="FILE",
        help="image vectors: an .npz with the arrays `files` and `features`",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)
    return parser


def run_train(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    from captious.captioners.examples import Examples
    from captious.images.vectors import read_image_vectors
    from captious.training.captioners.training import train

    names = [field.name for field in fields(CaptionerRecipe)]
    recipe = usual_recipe(**{name: getattr(options, name) for name in names})
    training, validation = networks.read_captions(options)
    vectors = read_image_vectors(options.features)
    if options.keep_epochs is not None:  # after what may be wrong with files: an error leaves none
        _make_folder(options.keep_epochs)
    with networks.training_bar(options) as progress:
        trained = train(
            Examples.of(training, vectors),
            Examples.of(validation, vectors),
            recipe,
            checkpoint=options.checkpoint,
            keep_epochs=options.keep_epochs,
            progress=progress,
        )
    trained.model.save(options.output)
    best = trained.at_best
    measures = {"perplexity": math.exp(best["validation_loss"]), "share_first": best["share_first"]}
    networks.print_trained(options, trained, {"architecture": recipe.architecture}, measures)


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
    with networks.counting_bar(options) as progress:
        if options.temperature is None:
            beam = 3 if options.beam is None else options.beam
            written = [
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
        networks.print_figures(options, {"output": options.output, "captions": len(columns["id"])})
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

    networks.check_npz(options.output)
    captioner = load_captioner(options.model)
    captions = read_image_captions(options.captions, options.images)
    vectors = read_image_vectors(options.features)
    with networks.counting_bar(options) as progress:
        words = word_probabilities(captioner, captions, vectors, progress=progress)
    write_probabilities(options.output, words)
    loss = loss_of(words)
    data = {
        "output": options.output,
        "images": words.n_images,
        "captions": words.n_captions,
        "words": len(words.probabilities),
        "loss": loss,
        "perplexity": math.exp(loss),
        "share_first": float(words.is_first.mean()),
    }
    networks.print_figures(options, data)


def _make_folder(path: str) -> None:
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: not a folder to write to ({error.strerror})") from None
