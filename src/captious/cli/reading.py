"""How files of captions are read: options that several commands share."""

from __future__ import annotations

import argparse
from functools import partial

from captious.cli.options import Add
from captious.cli.output import note
from captious.io.caption_tables import Reading
from captious.io.formats import NAMES
from captious.io.recognition import columns_in


def declare_reading(add: Add) -> None:
    """Add the options."""
    names = "which columns to read, where names are not recognised: id=...,candidate=...,"
    add("--columns", f"{names}references=... (several: ref1+ref2, or ref*)", metavar="NAMES")
    add("--split", "only rows of this split, of files that name splits", metavar="NAME")
    several = "allow several candidates an id: each is a sample, and intervals draw images"
    add("--repeated", several, action="store_true")
    add(
        "--input-format",
        "of standard input, and of files whose name says none",
        choices=NAMES,
        usual="by content",
    )


def reading(options: argparse.Namespace) -> Reading:
    """What the options say; what is guessed beyond them is a note."""
    return Reading(
        {} if options.columns is None else columns_in(options.columns),
        options.split,
        options.input_format,
        options.repeated,
        partial(note, options),
    )
