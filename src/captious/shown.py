"""Text that is safe to show: values in error messages, and anyone's text on a terminal.

Captions, ids and file names are anyone's: an escape sequence among them could recolour a terminal,
overwrite a line or turn the reading order round.
"""

from __future__ import annotations

import builtins
import math
import reprlib
import unicodedata

MOST_CHARACTERS = 200  # of a value in a message: more than any name has
MOST_DIGITS = 100  # Python refuses to write whole numbers of more than 4300
HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, surrogates, breaks of lines
JOINERS = "\u200c\u200d"  # scripts and emoji are written with them


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


def visible(text: str, kept: str = "") -> str:
    """The text with every hidden character as Python escapes it, but for those to be kept."""
    if text.isprintable():
        return text
    return "".join(
        letter.encode("unicode_escape").decode("ascii")
        if unicodedata.category(letter) in HIDDEN and letter not in JOINERS and letter not in kept
        else letter
        for letter in text
    )


def count_of(number: int, noun: str) -> str:
    """A number of things, of which the plural has an s: `1 sample`, `1,000 samples`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
