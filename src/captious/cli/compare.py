"""captious compare: systems beside one another, and whether they differ by more than chance."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from captious.cli.diversity import DiversityMeasurement
from captious.cli.inputs import parse_systems
from captious.cli.options import add_resamples_option, add_shared_options
from captious.cli.output import show_tabled
from captious.comparison.groups import leaderboard_by
from captious.comparison.leaderboard import leaderboard
from captious.comparison.score_files import read_scores
from captious.diagnostics.diversity.diversity import Diversities, ScoresAndDiversity
from captious.errors import InputError
from captious.io.output_tables import CSV
from captious.io.output_tables import FORMATS as ALL_FORMATS
from captious.metrics.names import DIVERSITY
from captious.result import Result
from captious.signature import Address

DESCRIPTION = """Compare systems' corpus scores on the same images: intervals, ranks, and letters
that show which systems differ significantly (paired randomization test, Holm's correction); for two
systems also their differences. The files are what `captious score --output` wrote, or folders of
parts. A system has the name of its file, or yours: NAME=FILE."""
EXAMPLES = """examples:
  captious compare ours.csv theirs.csv
  captious compare scores/* --format latex
  captious compare ours=run7.csv theirs=baseline.csv --interval bca --format markdown
  captious compare ours.csv theirs.csv --by domain
  captious compare ours.csv theirs.csv --diversity --training captions_train2014.json
"""
FORMATS = (*ALL_FORMATS, CSV)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("scores", nargs="+", metavar="SCORES", help="scores of two systems or more")

    statistics = parser.add_argument_group("statistics")
    add_shared_options(statistics, "--by", "--interval")
    add_resamples_option(statistics)
    add_shared_options(statistics, "--seed")

    diversity = parser.add_argument_group("diversity")
    diversity.add_argument(
        "--diversity", action="store_true", help="also show the diversity of each system's captions"
    )
    add_shared_options(diversity, "--training", "--df")


def run(options: argparse.Namespace) -> None:
    """Read scores, compare the systems and print the table."""
    systems = parse_systems(options.scores)
    if len(systems) < 2:
        raise InputError(f"{options.scores[0]}: one system alone; name two or more to compare")
    by = [] if options.by is None else [options.by]
    results = {name: read_scores(path, by) for name, (path,) in systems.items()}
    diversity = _measure_diversity(options, results)
    bootstrap_options = {
        "resamples": options.resamples,
        "seed": options.seed,
        "method": options.interval,
    }
    board = (
        leaderboard_by(results, *by, **bootstrap_options)
        if by
        else leaderboard(results, **bootstrap_options)
    )
    result = board if diversity is None else ScoresAndDiversity(board, diversity)
    show_tabled(result, options.format)


def _measure_diversity(
    options: argparse.Namespace, results: Mapping[str, Result]
) -> Diversities | None:
    """Measure diversity if --diversity was given."""
    if options.diversity:
        return DiversityMeasurement(options, Address(DIVERSITY)).measure_results(results)
    for name in ("training", "df"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name}: only --diversity uses it; add --diversity")
    return None
