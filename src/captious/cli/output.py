"""What all commands print and write alike: tables in any format, notes, and files checked first."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from captious.cli.terminal import has_colours, say, show
from captious.errors import InputError
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.formats import format_of
from captious.io.json import json_text
from captious.io.markup import TERMINAL
from captious.io.output_tables import TabularResult, render_table

if TYPE_CHECKING:
    from captious.registry import Selection


def show_tabled(result: TabularResult, format: str) -> None:
    """Print a result; on a terminal that can show it, the best of a table stands out."""
    if format == "text" and has_colours(sys.stdout):
        show(result.tabled(TERMINAL), is_safe=True)
    else:
        show(result.to_text(format))


def print_table(
    format: str, header: Sequence[str], rows: Sequence[Sequence[str]], data: Any, text_columns: int
) -> None:
    """A table, or as JSON the data behind it."""
    if format == "json":
        show(json_text(data, indent=2))
    else:
        show(render_table(header, rows, format, text_columns))


def print_figures(options: argparse.Namespace, data: dict[str, Any], text_columns: int = 1) -> None:
    """What came of it, a line each."""
    rows = [
        (name.replace("_", " "), f"{value:.4f}" if isinstance(value, float) else str(value))
        for name, value in data.items()
    ]
    print_table(options.format, ("what", "value"), rows, data, text_columns)


def note(options: argparse.Namespace, message: str) -> None:
    """One line for the user that is not part of the result."""
    if not options.quiet:
        say(message)


def note_selection(options: argparse.Namespace, selection: Selection) -> None:
    """Say how names of metrics were understood, and what a group had to do without."""
    for remark in selection.notes:
        note(options, remark)
    if selection.left_out:
        left_out = ", ".join(selection.left_out)
        note(options, f"left out, not installed (see captious doctor): {left_out}")
    if selection.english_only:
        note(options, f"left out, English only: {', '.join(selection.english_only)}")


def typed_command(options: argparse.Namespace) -> str:
    """The command as it was given, for what says how it was made."""
    return shlex.join(["captious", *options.typed])


def check_npz(path: str) -> None:
    """Stop before the work where a file of arrays could not be written."""
    if not path.lower().endswith(".npz"):
        raise InputError(f"{path}: name the file .npz")
    check_writable(path)


def check_table_output(path: str | None) -> None:
    """Stop before the work where a file of rows could not be written."""
    if path is not None:
        format_of(path)
        check_writable(path)


def check_json_output(path: str | None) -> None:
    """Stop before the work where a file of JSON could not be written."""
    if path is not None:
        if not path.lower().endswith((".json", ".json.gz")):
            raise InputError(f"{path}: name the file .json or .json.gz")
        check_writable(path)


def write_json(path: str | None, data: Any) -> None:
    """Write data as JSON, if a file was named."""
    if path is not None:
        with atomic_write(path) as stream:
            stream.write(json_text(data, indent=2).encode() + b"\n")
