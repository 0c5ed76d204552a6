"""captious compare: whether two systems' scores differ by more than chance."""

from __future__ import annotations

import argparse

from captious.checks.bounds import DRAWS
from captious.cli.options import Add
from captious.cli.terminal import show
from captious.comparison import compare
from captious.score_files import read_scores

DESCRIPTION = """Compare two systems' corpus scores on the same images: paired bootstrap and paired
randomisation. The files are what `captious score --output` wrote."""
EXAMPLES = """examples:
  captious compare ours.csv theirs.csv
  captious compare ours.csv theirs.csv --interval bca --format markdown
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("scores_a", "the first system's scores", metavar="SCORES_A")
    add("scores_b", "the second system's scores", metavar="SCORES_B")
    add("--resamples", help="for intervals and tests", bounds=DRAWS)
    add("--seed")
    add("--interval")


def run(options: argparse.Namespace) -> None:
    """Read both, compare, print."""
    a, b = read_scores(options.scores_a), read_scores(options.scores_b)
    comparison = compare(
        a, b, resamples=options.resamples, seed=options.seed, method=options.interval
    )
    show(comparison.to_text(options.format))
