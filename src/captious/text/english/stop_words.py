"""Stop words: words that say how a sentence is built rather than what is in the picture.

The list is spaCy's for English; its file holds its version and its licence.
"""

from __future__ import annotations

from captious.resources import RESOURCES

NAME = "spacy-3.8.7"  # as signatures give it
SHIPPED = RESOURCES / "stop_words" / "english.txt"


def _read() -> frozenset[str]:
    lines = SHIPPED.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


STOP_WORDS: frozenset[str] = _read()
