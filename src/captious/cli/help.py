"""captious help: all commands, or the options of one."""

from __future__ import annotations

import argparse

from captious.cli.main import main
from captious.cli.options import AddOption

DESCRIPTION = "Show all commands, or the arguments, options and examples of one."
EXAMPLES = """examples:
  captious help
  captious help score
  captious help captioner train
"""
PRINTS_TABLES = False


def declare(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("words", "a command, and perhaps a part of it", nargs="*", metavar="COMMAND")


def run(options: argparse.Namespace) -> None:
    """Ask the command itself."""
    code = main([*options.words, "--help"])
    if code:
        raise SystemExit(code)
