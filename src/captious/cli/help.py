"""captious help: all commands, or the options of one."""

from __future__ import annotations

import argparse

from captious.cli.main import main

DESCRIPTION = "Show all commands, or the arguments, options and examples of one."
EXAMPLES = """examples:
  captious help
  captious help score
  captious help captioner train
"""
PRINTS_TABLES = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "words", nargs="*", metavar="COMMAND", help="a command, with its subcommand if it has any"
    )


def run(options: argparse.Namespace) -> None:
    """Run the command with --help."""
    code = main([*options.words, "--help"])
    if code:
        raise SystemExit(code)
