"""captious robustness: put metrics before captions made worse on purpose."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from captious.checks import bounds
from captious.checks.bounds import COUNT
from captious.cli.numbers import number
from captious.cli.output import (
    add_output_options,
    check_json_output,
    note_left_out,
    progress_bar,
    write_json,
)
from captious.cli.terminal import show
from captious.errors import InputError
from captious.meta.robustness.captioned_images import (
    CAPTIONS,
    FEATURES,
    TEST_IMAGES,
    WHERE,
    read_flickr8k,
)
from captious.meta.robustness.evaluation import KINDS, robustness
from captious.registry import DEFAULT, select
from captious.resampling import SEED, check_draws

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """examples:
  captious robustness --data flickr8k --metrics bleu,cider_d
  captious robustness --data flickr8k --kind pathological --images 200 --output curves.json
"""


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "robustness",
        help="put metrics before captions made worse on purpose",
        description=(
            "Make human captions worse (wrong person or place, words permuted or replaced, clauses "
            "repeated...) and see whether metrics notice. Each caption is scored against the other "
            "captions of its image."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        help=f"{WHERE}: {CAPTIONS}, {TEST_IMAGES} and, for captions of other images, {FEATURES}",
    )
    parser.add_argument(
        "--metrics",
        default=",".join(DEFAULT),
        help="metrics, columns or groups with commas between (default: %(default)s)",
    )
    parser.add_argument(
        "--kind", choices=(*KINDS, "all"), default="all", help="which tasks (default: %(default)s)"
    )
    parser.add_argument(
        "--images",
        type=number(COUNT),
        metavar="N",
        help="only the first N test images (default: all)",
    )
    parser.add_argument(
        "--seed",
        type=number(bounds.SEED),
        default=SEED,
        metavar="N",
        help="of all chance (default: %(default)s)",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="write everything, with the curves, to this JSON file"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the curves of pathological captions as .png or .svg"
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, make worse, score, write, print."""
    selection = select(options.metrics)
    check_draws(1, options.seed)
    if options.data is None:
        raise InputError(f"no captions: give --data DIR, {WHERE}")
    check_json_output(options.output)
    if options.plot is not None:
        from captious.report.meta_plots import check_plot

        check_plot(options.plot)
    data = read_flickr8k(options.data, options.images)
    note_left_out(options, selection)
    with progress_bar(options, len(selection.metrics)) as progress:
        result = robustness(
            data,
            selection,
            KINDS if options.kind == "all" else options.kind,
            seed=options.seed,
            progress=progress,
        )
    if options.plot is not None:  # first, since not every kind of task can be drawn
        from captious.report.meta_plots import plot

        plot(options.plot, result)
    write_json(options.output, result.to_dict())
    show(result.to_text(options.format))
