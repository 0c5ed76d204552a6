"""captious robustness: put metrics before captions made worse on purpose."""

from __future__ import annotations

import argparse

from captious._internal.checks.bounds import COUNT
from captious.cli.inputs import add_image_options, image_parameters, select_with_images
from captious.cli.options import METRICS_HELP, add_shared_options, number_in
from captious.cli.output import check_json_output, note_selection, write_json
from captious.cli.progress import work_bars
from captious.cli.terminal import show
from captious.errors import InputError
from captious.meta.robustness.captioned_images import (
    CAPTIONS,
    FEATURES,
    SOURCE,
    TEST_IMAGES,
    read_flickr8k,
)
from captious.meta.robustness.evaluation import KINDS, robustness
from captious.registry import DEFAULT
from captious.report.meta_plots import check_plot, plot
from captious.stats.bootstrap import check_draws

DESCRIPTION = """Make human captions worse (wrong person or place, words permuted or replaced,
clauses repeated...) and test whether metrics notice. Each caption is scored against the other
captions of its image."""
EXAMPLES = """examples:
  captious robustness --data flickr8k --metrics bleu,cider_d
  captious robustness --data flickr8k --kind pathological --first 200 --output curves.json
  captious robustness --data flickr8k --metrics leic,captious_image --images flickr8k/images
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--data",
        metavar="DIR",
        help=f"{SOURCE}: {CAPTIONS}, {TEST_IMAGES} and, for captions of other images, {FEATURES}",
    )
    parser.add_argument("--metrics", default=",".join(DEFAULT), help=METRICS_HELP)
    add_image_options(parser)
    parser.add_argument(
        "--kind", choices=(*KINDS, "all"), default="all", help="which kind of changes to test"
    )
    parser.add_argument(
        "--first",
        type=number_in(COUNT),
        metavar="N",
        help="only the first N test images (default: all)",
    )
    add_shared_options(parser, "--seed")
    parser.add_argument(
        "--output", metavar="FILE", help="write everything, with the curves, to this JSON file"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the curves of pathological captions as .png or .svg"
    )


def run(options: argparse.Namespace) -> None:
    """Make captions worse, score them, write and print the results."""
    check_draws(1, options.seed)
    if options.data is None:
        raise InputError(f"no captions: give --data DIR, {SOURCE}")
    check_json_output(options.output)
    if options.plot is not None:
        check_plot(options.plot)
    with work_bars(options):
        selection = select_with_images(options.metrics, image_parameters(options))
        data = read_flickr8k(options.data, options.first)
        kinds = KINDS if options.kind == "all" else options.kind
        result = robustness(data, selection, kinds, seed=options.seed)
    note_selection(options, selection)
    if options.plot is not None:  # first, since not every kind of task can be drawn
        plot(options.plot, result)
    write_json(options.output, result.to_dict())
    show(result.to_text(options.format))
