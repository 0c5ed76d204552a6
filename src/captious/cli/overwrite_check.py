"""Check that no command overwrites its input files."""

from __future__ import annotations

import argparse
from itertools import product
from typing import Any

from captious.errors import InputError
from captious.io.remote_files import as_path, as_remote, without_query

# Options that name a file to write.
OUTPUT_OPTIONS = ("output", "plot", "scatter", "samples", "checkpoint", "report")


def check_inputs_not_overwritten(options: argparse.Namespace) -> None:
    """Stop where a file to be written is also given for something else."""
    named = {name: _possible_file_names(value) for name, value in vars(options).items()}
    for name in OUTPUT_OPTIONS:
        for written, (other, texts) in product(named.get(name, ()), named.items()):
            for given in texts:
                if other != name:
                    check_not_overwritten(given, written, name)


def check_not_overwritten(given: str, written: str, option: str) -> None:
    """Stop where a file that is given would be written by an option."""
    if _is_same_file(given, written):
        raise InputError(f"{given}: would be overwritten by --{option}; name another file to write")


def _possible_file_names(value: Any) -> list[str]:
    """What could be a name of a file in an option's value: numbers are none, NAME=FILE has one."""
    values = value if isinstance(value, list) else [value]
    texts = [each for each in values if isinstance(each, str)]
    return texts + [file for _, sign, file in (text.partition("=") for text in texts) if sign]


def _is_same_file(given: str, written: str) -> bool:
    """Whether two names lead to one file that is there, by links or otherwise."""
    if as_remote(given) is not None or as_remote(written) is not None:
        return without_query(given) == without_query(written)
    try:
        return as_path(given).samefile(as_path(written))  # type: ignore[union-attr]
    except (OSError, ValueError):  # a name that no file can have, either
        return False
