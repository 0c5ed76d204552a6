"""captious compare: whether two systems' scores differ by more than chance."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from captious.checks import bounds
from captious.checks.bounds import DRAWS
from captious.cli.numbers import number
from captious.cli.output import add_output_options
from captious.cli.terminal import show
from captious.comparison import compare
from captious.intervals import METHODS, PERCENTILE
from captious.resampling import RESAMPLES, SEED
from captious.score_files import read_scores

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare",
        help="test whether two systems differ",
        description=(
            "Compare two systems' corpus scores on the same images: paired bootstrap and paired "
            "randomisation. The files are what `captious score --output` wrote."
        ),
    )
    parser.add_argument("scores_a", metavar="SCORES_A", help="the first system's scores")
    parser.add_argument("scores_b", metavar="SCORES_B", help="the second system's scores")
    parser.add_argument(
        "--resamples", type=number(DRAWS), default=RESAMPLES, help="default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=number(bounds.SEED), default=SEED, help="default: %(default)s"
    )
    parser.add_argument(
        "--interval",
        choices=tuple(METHODS),
        default=PERCENTILE,
        help="how intervals are made; bca corrects for bias and skewness (default: %(default)s)",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read both, compare, print."""
    a, b = read_scores(options.scores_a), read_scores(options.scores_b)
    comparison = compare(
        a, b, resamples=options.resamples, seed=options.seed, method=options.interval
    )
    show(comparison.to_text(options.format))
