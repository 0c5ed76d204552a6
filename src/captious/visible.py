"""Text that shows what it holds: what would act on a terminal, or hide, is written as an escape.

Captions, ids and file names are anyone's: an escape sequence among them could recolour a terminal,
overwrite a line or turn the reading order round.
"""

from __future__ import annotations

import unicodedata

HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, surrogates, breaks of lines
JOINERS = "\u200c\u200d"  # scripts and emoji are written with them


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
