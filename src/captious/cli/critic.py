"""captious critic: train a critic of captions, or let critics judge a whole system."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from captious.checks.bounds import COUNT, SEED
from captious.cli.critic_runs import run_judge, run_train
from captious.cli.numbers import number
from captious.cli.output import add_output_options
from captious.critic.recipe import CONTEXTS, FUSIONS, CriticRecipe
from captious.metrics.variants import VARIANTS

if TYPE_CHECKING:
    from argparse import _SubParsersAction

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
    add("--captions", required=True, metavar="FILE", help="people's captions by image")
    add("--images", metavar="FILE", help="only these images: a name a line")
    add(
        "--validation",
        required=True,
        metavar="FILE",
        help="captions of other images, to stop by; or a list of images of --captions: a name a "
        "line, in a file named .txt",
    )
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
    add("--output", required=True, metavar="FILE", help="weights, named .npz")
    add("--checkpoint", metavar="FILE", help="a file to go on from where training was stopped")
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
    for name, what in VALUES.items():
        value = getattr(usual, name)
        add(
            f"--{name.replace('_', '-')}",
            type=type(value),
            default=value,
            metavar="N",
            help=f"{what} (default: {value})",
        )
    add(
        "--half",
        action="store_true",
        help="multiply in bfloat16 while training: faster on processors that have it",
    )
