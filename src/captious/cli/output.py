"""What all commands print alike: tables in any format, notes, and progress."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from captious.cli.terminal import say, show
from captious.errors import InputError
from captious.files.json_text import json_text
from captious.files.text_files import check_writable, written_whole
from captious.tables import FORMATS, render_table

if TYPE_CHECKING:
    from captious.registry import Selection

DELAY = 1.0  # seconds that work takes before a bar is shown


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """The options that every command has."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print the result")
    parser.add_argument("--quiet", action="store_true", help="no notes, warnings or progress")


def print_table(
    format: str, header: Sequence[str], rows: Sequence[Sequence[str]], data: Any, text_columns: int
) -> None:
    """A table, or as JSON the data behind it."""
    if format == "json":
        show(json_text(data, indent=2))
    else:
        show(render_table(header, rows, format, text_columns))


def note(options: argparse.Namespace, message: str) -> None:
    """One line for the user that is not part of the result."""
    if not options.quiet:
        say(message)


def names_in(text: str) -> list[str]:
    """Names with commas between, as options take them."""
    return [name.strip() for name in text.split(",") if name.strip()]


def note_left_out(options: argparse.Namespace, selection: Selection) -> None:
    """Say what a group of metrics had to do without."""
    if selection.left_out:
        absent = ", ".join(selection.left_out)
        note(options, f"left out, not installed (see captious doctor): {absent}")


def check_json_output(path: str | None) -> None:
    """Stop before the work where a file of JSON could not be written."""
    if path is None:
        return
    if not path.lower().endswith((".json", ".json.gz")):
        raise InputError(f"{path}: name the file .json or .json.gz")
    check_writable(path)


def write_json(path: str | None, data: Any) -> None:
    """Write data as JSON, if a file was named."""
    if path is not None:
        with written_whole(path) as stream:
            stream.write(json_text(data, indent=2).encode() + b"\n")


@contextmanager
def progress_bar(
    options: argparse.Namespace, metrics: int
) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for work that takes more than a second, on a terminal only."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=" scores", unit_scale=True, delay=DELAY, leave=False) as bar:
        done: dict[str, int] = {}

        def advance(metric: str, samples: int, total: int) -> None:
            bar.total = total * metrics
            bar.set_description(metric, refresh=False)
            bar.update(samples - done.get(metric, 0))
            done[metric] = samples

        yield advance


@contextmanager
def image_bar(options: argparse.Namespace) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for images that are encoded, which begins again with every look at all of them."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    bars: list[tqdm[NoReturn]] = []

    def advance(done: int, total: int) -> None:
        if not bars:
            # At the place of the bar of scores, which is not shown before images are encoded.
            # Reports are few: each may be drawn.
            how: dict[str, Any] = {"delay": DELAY, "mininterval": 0, "leave": False, "position": 0}
            bars.append(tqdm(total=total, desc="images", unit=" images", **how))
        bars[0].update(done - bars[0].n)
        if done == total:
            bars.pop().close()

    try:
        yield advance
    finally:
        for bar in bars:
            bar.close()
