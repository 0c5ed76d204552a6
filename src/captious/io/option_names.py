"""How an option of reading is written: to a command, or as an argument in Python."""

from __future__ import annotations

from typing import Protocol


class Option(Protocol):
    """What writes an option as its user would, with or without what it is to be."""

    def __call__(self, name: str, /, **values: str) -> str:
        """The option's name, and values by name."""


def to_command(name: str, /, **values: str) -> str:
    """As `--columns id=photo`."""
    return " ".join([f"--{name}", *(f"{key}={value}" for key, value in values.items())])


def in_python(name: str, /, **values: str) -> str:
    """As `columns={'id': 'photo'}`, or `columns=` where it is only named."""
    return f"{name}={values or ''}"
