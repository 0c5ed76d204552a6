"""No command writes over what it reads."""

from __future__ import annotations

import argparse
from itertools import chain, product
from pathlib import Path
from typing import Any

from captious.errors import InputError

# Options that name a file to write.
WRITTEN = ("output", "plot", "scatter", "samples", "checkpoint", "report")


def check_inputs_are_kept(options: argparse.Namespace) -> None:
    """Stop where a file to be written is also given for something else."""
    named = {name: _texts(value) for name, value in vars(options).items()}
    for name in WRITTEN:
        for written, (other, texts) in product(named.get(name, ()), named.items()):
            for given in chain.from_iterable(map(_files, texts)):
                if other != name and _is_same_file(given, written):
                    raise InputError(
                        f"{given}: would be overwritten by --{name}; name another file to write"
                    )


def _texts(value: Any) -> list[str]:
    """What could be a name of a file in an option's value: numbers are none."""
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]


def _files(text: str) -> tuple[str, ...]:
    """The files that a text may name: itself, and FILE of NAME=FILE."""
    _, mark, file = text.partition("=")
    return (text, file) if mark else (text,)


def _is_same_file(given: str, written: str) -> bool:
    """Whether two names lead to one file that is there, by links or otherwise."""
    try:
        return Path(given).samefile(written)
    except (OSError, ValueError):  # a name that no file can have, either
        return False
