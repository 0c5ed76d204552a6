"""Which files of captions are read, and how: arguments that several commands share."""

from __future__ import annotations

import argparse

from captious.cli.options import AddOption
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions
from captious.io.column_roles import parse_columns_option
from captious.io.formats import NAMES


def declare_captions(
    add_option: AddOption, candidates: str, references: str, number: str = "?"
) -> None:
    """Add candidates, references and the options of reading both."""
    # Whether there are any is asked later: what is missing has more than one cause.
    files = "see docs/files.md for the forms; - is standard input"
    add_option("candidates", f"{candidates}: {files}", nargs=number, metavar="CANDIDATES")
    add_option(
        "--references",
        f"{references}; several files are joined",
        nargs="+",
        metavar="FILE",
        default_text="CANDIDATES",
    )
    names = "which columns to read, where names are not recognised: id=...,candidate=...,"
    add_option("--columns", f"{names}references=... (several: ref1+ref2, or ref*)", metavar="NAMES")
    add_option("--split", "only rows of this split, if files have splits", metavar="NAME")
    several = "allow several candidates per id: each is a sample; intervals resample images"
    add_option("--repeated", several, action="store_true")
    add_option(
        "--input-format",
        "format of standard input, and of files without a known extension",
        choices=NAMES,
        default_text="by content",
    )


def check_candidates(options: argparse.Namespace) -> None:
    """Stop where no candidates were named, or where all files were taken for references."""
    if not options.candidates:
        command = f"{options.parser.prog} CANDIDATES --references FILE..."
        if options.references:
            cause = "--references takes every file after it; put the candidates first"
        else:
            cause = "name a file, or - for standard input"
        raise InputError(f"no candidates: {cause}: {command}")


def read_options(options: argparse.Namespace) -> ReadOptions:
    """What the options say; what is guessed beyond them is a warning, as in streams."""
    return ReadOptions(
        {} if options.columns is None else parse_columns_option(options.columns),
        options.split,
        options.input_format,
        options.repeated,
        by=getattr(options, "by", None),
    )
