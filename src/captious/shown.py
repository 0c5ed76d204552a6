"""Values as an error message shows them: short, on one line, whatever the value is."""

from __future__ import annotations

import builtins
import math
import reprlib

MOST_CHARACTERS = 200  # of a value in a message: more than any name has
MOST_DIGITS = 100  # Python refuses to write whole numbers of more than 4300


class _Short(reprlib.Repr):
    """Values of any depth and length, of which no more is looked at than is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = MOST_CHARACTERS
        self.maxlevel = 3

    def repr_int(self, x: int, level: int) -> str:
        """A whole number, or how long it is."""
        digits = int(abs(x).bit_length() * math.log10(2)) + 1
        return builtins.repr(x) if digits <= MOST_DIGITS else f"<some {digits} digits>"

    def repr_str(self, x: str, level: int) -> str:
        """A text, or its beginning."""
        return builtins.repr(x) if len(x) <= self.maxstring else f"{x[: self.maxstring]!r}..."

    def repr_bytes(self, x: bytes, level: int) -> str:
        """Bytes, or the first of them."""
        return builtins.repr(x) if len(x) <= self.maxstring else f"{x[: self.maxstring]!r}..."


_SHORT = _Short()


def shown(value: object, most: int = MOST_CHARACTERS) -> str:
    """A value as Python writes it, cut off where it is long or deep."""
    text = " ".join(_SHORT.repr(value).split())
    return text if len(text) <= most else f"{text[: most - 3]}..."
