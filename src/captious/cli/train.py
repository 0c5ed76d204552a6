"""captious train: train a learned metric on captions of people and of machines."""

from __future__ import annotations

import argparse
from pathlib import Path

from captious._internal.checks.bounds import COUNT
from captious.cli.networks import read_shares
from captious.cli.options import AddOption
from captious.cli.output import note, print_table
from captious.cli.progress import reading_bar, training_bar
from captious.cli.train_domain import OWN_DOMAIN, check_unused, run_domain
from captious.errors import InputError
from captious.report.meta_plots import check_plot
from captious.report.training_plot import plot_training
from captious.text.languages import ENGLISH
from captious.training.learned_metrics.job import TrainingJob, features_and_recipe, run_job
from captious.training.learned_metrics.negatives import KINDS
from captious.training.learned_metrics.recipe import KINDS as RECIPE_KINDS
from captious.training.learned_metrics.recipe import (
    PAPER,
    PAPER_IMAGES,
    PAPER_PER_IMAGE,
    QUICK,
)

DESCRIPTION = """Train a network over the scores of other metrics to tell human captions from
others, with early stopping by its agreement on Flickr8k-Expert, and write the weights and a model
card. Or adapt captious to your own domain or language, from captions alone."""
EXAMPLES = """examples:
  captious train captious --captions mine.jsonl --output mine.npz
  captious train captious --captions captions_de.json --language de --machine system.json
  captious train lceval --data DIR --human captions.json --machine system.json --output mine.npz
  captious train mine.toml --data DIR --human captions.json --mixture random_caption=1
  captious train "nneval(cider=cider_d)" --recipe paper --data DIR --human captions.json \\
      --machine system.json --mixture machine_other=1,machine_similar=1
"""


def declare(add_option: AddOption) -> None:
    """Add the arguments."""
    features = (
        "captious, a published set of features, groups of LCEval's such as lexical+semantic, or a "
        "file"
    )
    add_option("features", features, metavar="captious|nneval|lceval|FILE.toml")
    add_option(
        "--data",
        "the folder of the benchmarks: flickr8k for validation, and all whose images must be "
        "excluded from training",
        metavar="DIR",
    )
    add_option("--human", "human captions of each image", metavar="FILE")
    captions = "captious: captions of your domain, several per image"
    add_option("--captions", captions, metavar="FILE")
    add_option("--language", "captious: the captions' language", metavar="CODE", default=ENGLISH)
    machine = "machine-generated captions of the same images; may be given several times"
    add_option("--machine", machine, metavar="FILE", action="append", default=[])
    kinds = "which negatives: " + ", ".join(KINDS)
    add_option("--mixture", kinds, metavar="KIND=SHARE,...", default="machine=1")
    recipe = (
        "quick, or the paper's epochs, mini-batches, learning rate and number of images "
        f"({PAPER_IMAGES:,})"
    )
    add_option("--recipe", recipe, choices=RECIPE_KINDS, default=QUICK)
    per_image = "human candidates per image, at most"
    add_option("--per-image", per_image, bounds=COUNT, default=PAPER_PER_IMAGE)
    add_option("--references", "references per candidate", bounds=COUNT, default=4)
    add_option(
        "--images",
        "only N random images",
        default_text="all; as many as in the paper with --recipe paper",
        bounds=COUNT,
    )
    add_option("--seed", default=None, default_text=0)
    add_option("--output", "the weights to write", metavar="FILE", default="learned.npz")
    add_option("--checkpoint")
    add_option("--plot", "draw the training curve as .png or .svg", metavar="FILE")


def run(options: argparse.Namespace) -> None:
    """Train, write, and print what came of it."""
    if options.features == OWN_DOMAIN:
        run_domain(options)
        return
    check_unused(options, "captions", "language")
    for name in ("data", "human"):
        if getattr(options, name) is None:
            raise InputError(f"nothing to train on: give --{name} (see captious train --help)")
    if not options.output.lower().endswith(".npz"):
        raise InputError(f"{options.output}: name the file of weights .npz")
    if options.plot is not None:
        check_plot(options.plot)
    feature_set, recipe = features_and_recipe(options.features, options.seed, options.recipe)
    images = options.images
    if images is None and options.recipe == PAPER:
        images = PAPER_IMAGES
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
        images,
        None if options.checkpoint is None else Path(options.checkpoint),
    )
    with reading_bar(options) as reading, training_bar(options) as progress:
        outcome = run_job(job, progress, reading)
    if options.plot is not None:
        plot_training(options.plot, outcome.trained)
    if outcome.absent:
        note(options, f"not checked for overlap, files missing: {', '.join(outcome.absent)}")
    rows = [
        *((what, f"{count:,}") for what, count in outcome.training_set.counts.items()),
        ("epoch kept", f"{outcome.trained.best} of {len(outcome.trained.curve)}"),
        ("tau_b in validation", f"{outcome.trained.model.notes['tau']:.4f}"),
        *((what, f"{value:.4f}") for what, value in outcome.figures.items()),
    ]
    print_table(options.format, ("what", "value"), rows, outcome.to_dict(), 1)
