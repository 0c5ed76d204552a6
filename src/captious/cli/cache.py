"""captious cache: what the cache of analyses holds, and how to empty it."""

from __future__ import annotations

import argparse

from captious.cli.output import note, print_table
from captious.io.cache import FOLDER_VARIABLE, default_cache

DESCRIPTION = f"""Parses and vectors of captions, and vectors of images, are kept on disk, so that
references are analysed once. {FOLDER_VARIABLE} in the environment names another folder, or is
`off`."""
EXAMPLES = """examples:
  captious cache info
  captious cache clear
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "action",
        choices=("info", "clear"),
        help="info: show what the cache holds; clear: empty it, then show",
    )


def run(options: argparse.Namespace) -> None:
    """Print what the cache holds, after `clear` emptied it."""
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
