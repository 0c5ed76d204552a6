"""captious train captious: adapt our own metric to a domain or language, from captions alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from captious.cli.output import check_npz, print_figures
from captious.cli.progress import training_bar, work_bars
from captious.errors import InputError
from captious.training.domain.job import DomainJob, run_job

OWN_DOMAIN = "captious"
METRIC_TRAINING_OPTIONS = (
    "data",
    "human",
    "mixture",
    "recipe",
    "per_image",
    "references",
    "images",
    "plot",
)


def run_domain(options: argparse.Namespace) -> None:
    """Learn, write, and print what came of it."""
    check_unused(options, *METRIC_TRAINING_OPTIONS)
    if options.captions is None:
        raise InputError("nothing to learn from: give --captions (see captious train --help)")
    check_npz(options.output)
    job = DomainJob(
        Path(options.captions),
        Path(options.output),
        tuple(map(Path, options.machine)),
        options.language,
        0 if options.seed is None else options.seed,
        None if options.checkpoint is None else Path(options.checkpoint),
    )
    with work_bars(options), training_bar(options) as progress:
        outcome = run_job(job, progress)
    if options.format == "json":
        print_figures(options, outcome.to_dict())
    else:
        epochs = f"{outcome.learnt.training.best} of {len(outcome.learnt.training.curve)}"
        print_figures(options, {**outcome.settings, "epoch_kept": epochs, **outcome.figures})


def check_unused(options: argparse.Namespace, *names: str) -> None:
    """Refuse options that have no meaning for what is trained."""
    for name in names:
        if getattr(options, name) != options.parser.get_default(name):
            raise InputError(
                f"--{name.replace('_', '-')}: has no meaning for {options.features}; leave it out "
                "(see captious train --help)"
            )
