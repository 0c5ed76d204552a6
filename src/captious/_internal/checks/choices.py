"""Validation of a value that must be one of several names."""

from __future__ import annotations

from collections.abc import Collection

from captious.errors import InputError, short_repr


def check_choice(what: str, value: object, known: Collection[str]) -> None:
    """Raise unless a value is one of the known names; `what` begins the message."""
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{what} {short_repr(value)}; choose one of: {', '.join(known)}")
