"""captious train: train a learned metric on captions of people and of machines."""

from __future__ import annotations

import argparse
from pathlib import Path

from captious._internal.checks.bounds import COUNT, SEED
from captious.cli.options import add_shared_options, format_shares, number_in, parse_shares
from captious.cli.output import check_npz, note, print_figures, print_table
from captious.cli.progress import reading_bar, training_bar, work_bars
from captious.errors import InputError
from captious.report.meta_plots import check_plot
from captious.report.plots.panels import plot_training
from captious.text.languages import ENGLISH
from captious.training.domain.job import DomainJob
from captious.training.domain.job import run_job as train_domain
from captious.training.learned_metrics.job import TrainingJob, features_and_recipe
from captious.training.learned_metrics.job import run_job as train_metric
from captious.training.learned_metrics.negatives import (
    KINDS,
    MACHINE_DEFAULT,
    NO_MACHINE_DEFAULT,
)
from captious.training.learned_metrics.recipe import KINDS as RECIPE_KINDS
from captious.training.learned_metrics.recipe import (
    PAPER,
    PAPER_IMAGES,
    PAPER_PER_IMAGE,
    QUICK,
)
from captious.training.learned_metrics.validation import MEASURES

DESCRIPTION = """Train a network over the scores of other metrics to tell human captions from
others, and write the weights and a model card. Training stops early by its agreement with people:
with your own judgements, else Flickr8k-Expert, else on images held out. Or adapt captious to your
own domain or language, from captions alone."""
EXAMPLES = """examples:
  captious train captious --captions mine.jsonl --output mine.npz
  captious train captious --captions captions_de.json --language de --machine system.json
  captious train lceval --human captions.json --machine system.json --output mine.npz
  captious train lceval --human captions.json --judgements ratings.csv --output mine.npz
  captious train mine.toml --data DIR --human captions.json --mixture random_caption=1
  captious train "nneval(cider=cider_d)" --recipe paper --data DIR --human captions.json \\
      --machine system.json --mixture machine_other=1,machine_similar=1
"""

DOMAIN_METRIC = "captious"
METRIC_TRAINING_OPTIONS = (  # those that have no meaning for a domain
    "data",
    "human",
    "judgements",
    "ratings",
    "mixture",
    "recipe",
    "per_image",
    "references",
    "images",
    "plot",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "features",
        metavar="captious|nneval|lceval|FILE.toml",
        help="what to train: captious, on captions alone; nneval or lceval, on their published "
        "features; groups of LCEval's features, as in lexical+semantic; or a file of features",
    )
    parser.add_argument(
        "--machine",
        action="append",
        default=[],
        metavar="FILE",
        help="machine-generated captions of the same images; may be given several times",
    )
    parser.add_argument(
        "--output", default="learned.npz", metavar="FILE", help="the weights to write"
    )
    parser.add_argument(
        "--seed", type=number_in(SEED), metavar="N", help="random seed (default: 0)"
    )
    add_shared_options(parser, "--checkpoint")

    domain = parser.add_argument_group("to adapt captious to a domain or language")
    domain.add_argument(
        "--captions", metavar="FILE", help="captions of your domain, several per image"
    )
    domain.add_argument(
        "--language", default=ENGLISH, metavar="CODE", help="the captions' language"
    )

    data = parser.add_argument_group("to train any other metric")
    data.add_argument("--human", metavar="FILE", help="human captions of each image")
    data.add_argument(
        "--judgements",
        metavar="FILE",
        help="validate on your own judgements, in a file as for captious meta custom; their images "
        "are not trained on",
    )
    data.add_argument(
        "--ratings", metavar="NAME", help="column of --judgements with ratings (default: rating)"
    )
    data.add_argument(
        "--data",
        metavar="DIR",
        help="the folder of the benchmarks, whose images are not trained on; without --judgements, "
        "flickr8k is required and validates",
    )
    data.add_argument(
        "--references",
        type=number_in(COUNT),
        default=4,
        metavar="N",
        help="references per candidate",
    )
    data.add_argument(
        "--per-image",
        type=number_in(COUNT),
        default=PAPER_PER_IMAGE,
        metavar="N",
        help="at most so many human candidates per image",
    )
    data.add_argument(
        "--images",
        type=number_in(COUNT),
        metavar="N",
        help="only N random images (default: all; as many as in the paper with --recipe paper)",
    )
    data.add_argument(
        "--mixture",
        metavar="KIND=SHARE,...",
        help=f"kinds of negatives and their shares; kinds: {', '.join(KINDS)} (default: "
        f"{format_shares(MACHINE_DEFAULT)}; without --machine: "
        f"{format_shares(NO_MACHINE_DEFAULT)})",
    )
    data.add_argument(
        "--recipe",
        choices=RECIPE_KINDS,
        default=QUICK,
        help="quick, or the paper's epochs, mini-batches, learning rate and number of "
        f"images ({PAPER_IMAGES:,})",
    )
    data.add_argument("--plot", metavar="FILE", help="draw the training curve as .png or .svg")


def run(options: argparse.Namespace) -> None:
    """Train a metric, write its weights and print the figures."""
    if options.features == DOMAIN_METRIC:
        _run_domain(options)
        return
    _reject_unused(options, "captions", "language")
    if options.human is None:
        raise InputError("nothing to train on: give --human (see captious train --help)")
    if options.ratings is not None and options.judgements is None:
        raise InputError("--ratings: names a column of --judgements; give both, or neither")
    check_npz(options.output)
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
        Path(options.output),
        data=_path(options.data),
        judgements=_path(options.judgements),
        ratings=options.ratings,
        mixture=None if options.mixture is None else parse_shares("--mixture", options.mixture),
        per_image=options.per_image,
        references=options.references,
        images=images,
        checkpoint=_path(options.checkpoint),
    )
    with reading_bar(options) as reading, training_bar(options) as progress:
        outcome = train_metric(job, progress, reading)
    if options.plot is not None:
        plot_training(options.plot, outcome.trained)
    if outcome.absent:
        note(options, f"not checked for overlap, files missing: {', '.join(outcome.absent)}")
    validation = outcome.validation
    if outcome.held_out_pairs:
        note(
            options,
            f"no human judgements were used: validated on {outcome.held_out_pairs:,} pairs of a "
            f"human caption and a negative, of {validation['name']}",
        )
    label, best_feature = MEASURES[validation["measure"]], validation["best_feature"]
    rows = [
        *((what, f"{count:,}") for what, count in outcome.training_set.counts.items()),
        ("epoch kept", f"{outcome.trained.best} of {len(outcome.trained.curve)}"),
        (f"{label} in validation", f"{validation['value']:.4f}"),
        (f"the same of {best_feature['column']} alone", f"{best_feature['value']:.4f}"),
        *((what, f"{value:.4f}") for what, value in outcome.figures.items()),
    ]
    print_table(options.format, ("what", "value"), rows, outcome.to_dict(), 1)


def _run_domain(options: argparse.Namespace) -> None:
    """Adapt captious to a domain, write its weights and print the figures."""
    _reject_unused(options, *METRIC_TRAINING_OPTIONS)
    if options.captions is None:
        raise InputError("nothing to learn from: give --captions (see captious train --help)")
    check_npz(options.output)
    job = DomainJob(
        Path(options.captions),
        Path(options.output),
        tuple(map(Path, options.machine)),
        options.language,
        0 if options.seed is None else options.seed,
        _path(options.checkpoint),
    )
    with work_bars(options), training_bar(options) as progress:
        outcome = train_domain(job, progress)
    if options.format == "json":
        print_figures(options, outcome.to_dict())
    else:
        epochs = f"{outcome.learned.training.best} of {len(outcome.learned.training.curve)}"
        print_figures(options, {**outcome.settings, "epoch_kept": epochs, **outcome.figures})


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _reject_unused(options: argparse.Namespace, *names: str) -> None:
    """Reject options that have no meaning for what is trained."""
    for name in names:
        if getattr(options, name) != options.parser.get_default(name):
            raise InputError(
                f"--{name.replace('_', '-')}: has no meaning for {options.features}; leave it out "
                "(see captious train --help)"
            )
