"""No command writes over what it reads."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from captious.errors import InputError

# Options that name a file to write.
WRITTEN = ("output", "plot", "scatter", "samples", "checkpoint")


def check_inputs_are_kept(options: argparse.Namespace) -> None:
    """Stop where a file to be written is also given for something else."""
    named = {name: value for name, value in vars(options).items() if isinstance(value, str | list)}
    for name in filter(named.__contains__, WRITTEN):
        for other, value in named.items():
            for given in value if isinstance(value, list) else [value]:
                if other != name and _is_same_file(given, named[name]):
                    raise InputError(
                        f"{given}: would be overwritten by --{name}; name another file to write"
                    )


def _is_same_file(given: str, written: Any) -> bool:
    """Whether two names lead to one file that is there, by links or otherwise."""
    try:
        return Path(given).samefile(written)
    except (OSError, ValueError):  # a name that no file can have, either
        return False
