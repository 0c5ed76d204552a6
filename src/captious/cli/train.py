"""captious train: train a learned metric on captions of people and of machines."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.checks.bounds import COUNT, SEED
from captious.cli.networks import read_shares, training_bar
from captious.cli.numbers import number
from captious.cli.output import add_output_options, note, print_table
from captious.errors import InputError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """examples:
  captious train lceval --data DIR --human captions.json --machine system.json --output mine.npz
  captious train mine.toml --data DIR --human captions.json --mixture random_caption=1
"""


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "train",
        help="train a learned metric",
        description=(
            "Train a network over the scores of other metrics to tell people's captions from "
            "others, stop where it agrees best with people on Flickr8k-Expert, and write the "
            "weights with a model card beside them."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "features",
        metavar="nneval|lceval|FILE.toml",
        help="a published set of features, groups of LCEval's such as lexical+semantic, or a file",
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="the folder of the benchmarks: flickr8k for validation, and all whose images must "
        "not be trained on",
    )
    parser.add_argument("--human", metavar="FILE", help="human captions of each image")
    parser.add_argument(
        "--machine",
        metavar="FILE",
        action="append",
        default=[],
        help="a machine's captions of the same images; may be given several times",
    )
    parser.add_argument(
        "--mixture",
        metavar="KIND=SHARE,...",
        default="machine=1",
        help="which negatives: machine, random_caption, word_permutation, random_word "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--per-image",
        type=number(COUNT),
        default=3,
        metavar="N",
        help="human candidates an image, at most (default: %(default)s)",
    )
    parser.add_argument(
        "--references",
        type=number(COUNT),
        default=4,
        metavar="N",
        help="references a candidate (default: %(default)s)",
    )
    parser.add_argument(
        "--images", type=number(COUNT), metavar="N", help="only N images, at random (default: all)"
    )
    parser.add_argument("--seed", type=number(SEED), metavar="N", help="of all chance (default: 0)")
    parser.add_argument(
        "--output", metavar="FILE", default="learned.npz", help="weights (default: %(default)s)"
    )
    parser.add_argument(
        "--checkpoint", metavar="FILE", help="a file to go on from where training was stopped"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the training curve as .png or .svg")
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    from captious.training.learned_metrics.job import TrainingJob, features_and_recipe, run_job

    for name in ("data", "human"):
        if getattr(options, name) is None:
            raise InputError(f"nothing to train on: give --{name} (see captious train --help)")
    if not options.output.lower().endswith(".npz"):
        raise InputError(f"{options.output}: name the file of weights .npz")
    if options.plot is not None:
        from captious.report.meta_plots import check_plot

        check_plot(options.plot)
    feature_set, recipe = features_and_recipe(options.features, options.seed)
    job = TrainingJob(
        feature_set,
        recipe,
        Path(options.human),
        tuple(map(Path, options.machine)),
        Path(options.data),
        Path(options.output),
        read_shares("--mixture", options.mixture),
        options.per_image,
        options.references,
        options.images,
        None if options.checkpoint is None else Path(options.checkpoint),
    )
    with training_bar(options) as progress:
        outcome = run_job(job, progress)
    if options.plot is not None:
        from captious.report.training_plot import plot_training

        plot_training(options.plot, outcome.trained)
    if outcome.absent:
        note(options, f"not looked at for overlap, no files: {', '.join(outcome.absent)}")
    rows = [
        *((what, f"{number:,}") for what, number in outcome.training_set.counts.items()),
        ("epoch kept", f"{outcome.trained.best} of {len(outcome.trained.curve)}"),
        ("tau_b in validation", f"{outcome.trained.model.notes['tau']:.4f}"),
        *((what, f"{value:.4f}") for what, value in outcome.figures.items()),
    ]
    print_table(options.format, ("what", "value"), rows, outcome.to_dict(), 1)
