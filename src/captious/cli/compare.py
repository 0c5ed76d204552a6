"""captious compare: systems beside one another, and whether they differ by more than chance."""

from __future__ import annotations

import argparse

from captious.checks.bounds import DRAWS
from captious.cli.options import Add
from captious.cli.output import show_tabled
from captious.cli.systems import systems_in
from captious.errors import InputError
from captious.leaderboards.groups import leaderboard_by
from captious.leaderboards.leaderboard import leaderboard
from captious.score_files import read_scores
from captious.tables import CSV
from captious.tables import FORMATS as ALL_FORMATS

DESCRIPTION = """Compare systems' corpus scores on the same images: intervals, ranks, and letters of
who differs from whom (paired randomisation, Holm's correction); of two systems their differences,
too. The files are what `captious score --output` wrote. A system is called as its file, or as you
say: NAME=FILE."""
EXAMPLES = """examples:
  captious compare ours.csv theirs.csv
  captious compare scores/* --format latex
  captious compare ours=run7.csv theirs=baseline.csv --interval bca --format markdown
  captious compare ours.csv theirs.csv --by domain
"""
FORMATS = (*ALL_FORMATS, CSV)


def declare(add: Add) -> None:
    """Add the arguments."""
    add("scores", "scores of two systems or more", nargs="+", metavar="SCORES")
    add("--by")
    add("--resamples", help="for intervals and tests", bounds=DRAWS)
    add("--seed")
    add("--interval")


def run(options: argparse.Namespace) -> None:
    """Read all, compare, print."""
    systems = systems_in(options.scores)
    if len(systems) < 2:
        raise InputError(f"{options.scores[0]}: one system alone; name two or more to compare")
    by = [] if options.by is None else [options.by]
    results = {name: read_scores(path, by) for name, (path,) in systems.items()}
    how = {"resamples": options.resamples, "seed": options.seed, "method": options.interval}
    board = leaderboard_by(results, *by, **how) if by else leaderboard(results, **how)
    show_tabled(board, options.format)
