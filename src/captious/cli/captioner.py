"""captious captioner: train a captioner, let it write, or see what it gives to given words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from captious.captioners.recipe import ARCHITECTURES, USUAL, CaptionerRecipe
from captious.captioners.search import LENGTH_POWER
from captious.checks.bounds import BEAM, POSITIVE, SEED, WEIGHT, WORDS
from captious.cli.captioner_runs import run_generate, run_probabilities, run_train
from captious.cli.numbers import number
from captious.cli.output import add_output_options

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
    _add_captions(parser)
    parser.add_argument(
        "--validation",
        required=True,
        metavar="FILE",
        help="captions of other images, to stop by; or a list of images of --captions: a name "
        "a line, in a file named .txt",
    )
    usual = CaptionerRecipe()
    parser.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        default=usual.architecture,
        help="where the image goes: "
        + "; ".join(f"{name}: {what}" for name, what in ARCHITECTURES.items())
        + " (default: %(default)s)",
    )
    for name, what in VALUES.items():
        value = getattr(usual, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(value),
            metavar="N",
            help=f"{what} (default: {value}{_exceptions(name)})",
        )
    parser.add_argument(
        "--standardise",
        action=argparse.BooleanOptionalAction,
        help="bring each number of the image vectors to mean 0 and deviation 1 (default: "
        f"{usual.standardise}{_exceptions('standardise')})",
    )
    parser.add_argument(
        "--half",
        action="store_true",
        help="multiply in bfloat16 while training: faster on processors that have it",
    )
    parser.add_argument("--output", required=True, metavar="FILE", help="weights, named .npz")
    parser.add_argument(
        "--checkpoint", metavar="FILE", help="a file to go on from where training was stopped"
    )
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
    _add_captions(parser)
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


def _add_captions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--captions", required=True, metavar="FILE", help="captions by image")
    parser.add_argument("--images", metavar="FILE", help="only these images: a name a line")
