"""Names of which one is to be chosen, and the sentence that any other value gets."""

from __future__ import annotations

from collections.abc import Collection

from captious.errors import InputError, short_repr


def check_choice(what: str, value: object, known: Collection[str]) -> None:
    """An error unless a value is one of the known names; `what` begins it: `unknown variant`."""
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{what} {short_repr(value)}; choose one of: {', '.join(known)}")
