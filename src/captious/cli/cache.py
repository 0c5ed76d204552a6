"""captious cache: what the cache of analyses holds, and how to empty it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from captious.cache import FOLDER_VARIABLE, default_cache
from captious.cli.output import add_output_options, note, print_table

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "cache",
        help="show or empty the cache of analyses",
        description=(
            "Parses and vectors of captions, and vectors of images, are kept on disk, so that "
            "references are analysed once. "
            f"{FOLDER_VARIABLE} in the environment names another folder, or is `off`."
        ),
    )
    parser.add_argument("action", choices=("info", "clear"))
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print what there is, after emptying it if that was asked."""
    cache = default_cache()
    if cache is None:
        note(options, f"the cache is off ({FOLDER_VARIABLE})")
        return
    if options.action == "clear":
        cache.clear()
    info = cache.info()
    rows = [["file", info.path], ["size", f"{info.bytes / 1e6:.1f} MB"]]
    rows += [[f"entries of {name}", f"{number:,}"] for name, number in info.entries.items()]
    print_table(options.format, ["what", "value"], rows, vars(info), 2)
