"""What all commands print alike: tables in any format, notes, and progress."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from captious.report.table import FORMATS, render_table


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """The options that every command has."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print the result")
    parser.add_argument("--quiet", action="store_true", help="no notes, warnings or progress")


def print_table(
    format: str, header: Sequence[str], rows: Sequence[Sequence[str]], data: Any, text_columns: int
) -> None:
    """A table, or as JSON the data behind it."""
    if format == "json":
        print(json.dumps(data, indent=2))
    else:
        print(render_table(header, rows, format, text_columns))


def note(options: argparse.Namespace, message: str) -> None:
    """One line for the user that is not part of the result."""
    if not options.quiet:
        print(f"captious: {message}", file=sys.stderr)


@contextmanager
def progress_bar(
    options: argparse.Namespace, metrics: int
) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for work that takes more than a second, on a terminal only."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=" scores", unit_scale=True, delay=1, leave=False) as bar:
        done: dict[str, int] = {}

        def advance(metric: str, samples: int, total: int) -> None:
            bar.total = total * metrics
            bar.set_description(metric, refresh=False)
            bar.update(samples - done.get(metric, 0))
            done[metric] = samples

        yield advance
