"""Sentence splitting of captions, by punctuation, lines and list items.

Nearly all captions are one sentence, which one search shows. Models of today write a
hundred words, in sentences, in lines, in lists. A full stop ends a sentence unless it belongs to an
abbreviation, an initial, or the number or dash of an item of a list, which is no sentence of its
own and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious.text.analysis import Analysis
from captious.text.english import ENGLISH

_MARKS = ".!?\u2026\u3002\uff01\uff1f"
# What may stand behind the end of a caption's last sentence.
_TRAILING = _MARKS + " \t\n\r\v\f\"'`)]}*_-,;:\u201d\u2019\x85\xa0\u2028\u2029"
_CLOSING = "\"'\u201d\u2019)]}*_"  # between a mark and the white space behind it
_LINE = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
# What may end a sentence; captions that have it nowhere inside are one sentence.
_INSIDE = re.compile(rf"[{_MARKS}]|{_LINE.pattern}")
_CJK_MARKS = "\u3002\uff01\uff1f"
# White space, or nothing at all behind a mark of Chinese or Japanese.
_GAP = re.compile(rf"(?P<gap>\s+|(?<=[{_CJK_MARKS}])(?=\S))")
# In one line without such marks only white space behind a mark may end a sentence: found at once.
_GAP_AFTER_MARK = re.compile(rf"[{_MARKS}][{re.escape(_CLOSING)}]*(?P<gap>\s+)")
_NEEDS_EVERY_GAP = re.compile(rf"{_LINE.pattern}|[{_CJK_MARKS}]")
_BEFORE_STOP = re.compile(r"(?<![^\s\"(\[])(\w[\w.]*)\.$")
_ITEM = re.compile(r"\(?(?:\d{1,3}|[a-z])[.):]|[-*\u00b7\u2013\u2014\u2022]+|#+", re.IGNORECASE)
_HAS_WORD = re.compile(r"[^\W_]")
ABBREVIATION_WINDOW_CHARS = 40  # letters in which an abbreviation is looked for


def split_into_sentences(caption: str) -> list[str]:
    """Split a caption into sentences; the caption itself where it is one, or has no word.

    >>> split_into_sentences("A dog sits by St. Mark's. It is brown!")
    ["A dog sits by St. Mark's.", 'It is brown!']
    >>> split_into_sentences("1. A dog\\n2. A cat")
    ['A dog', 'A cat']
    """
    return (list(_split(caption)) if _may_have_several(caption) else []) or [caption]


def _may_have_several(caption: str) -> bool:
    return _INSIDE.search(caption.rstrip(_TRAILING)) is not None


def _split(caption: str) -> Iterator[str]:
    gaps = _GAP if _NEEDS_EVERY_GAP.search(caption) else _GAP_AFTER_MARK
    start = 0
    for match in gaps.finditer(caption):
        gap_start, gap_end = match.span("gap")
        before = caption[max(start, gap_start - ABBREVIATION_WINDOW_CHARS) : gap_start]
        if _is_end(before, match["gap"], caption[gap_end : gap_end + 1]):
            if _is_sentence(part := caption[start:gap_start].strip()):
                yield part
            start = gap_end
    if _is_sentence(rest := caption[start:].strip()):
        yield rest


def _is_end(before: str, gap: str, after: str) -> bool:
    """Whether a sentence ends at a gap between two texts."""
    if _LINE.search(gap):  # unless the next line goes on in lower case
        return not "a" <= after <= "z" or before.rstrip(_CLOSING).endswith(tuple(_MARKS))
    ending = before.rstrip(_CLOSING)
    return ending.endswith(tuple(_MARKS)) and not (before == ending and _is_abbreviation(before))


def _is_abbreviation(text: str) -> bool:
    """Whether the final full stop of a text belongs to an abbreviation."""
    before = _BEFORE_STOP.search(text.rsplit(None, 1)[-1])
    if before is None:
        return False
    word = before[1].lower()
    if len(word) == 1 or "." in word:  # initials, and what has a stop inside: U.S., e.g., p.m.
        return word[0].isalpha()
    return word in ENGLISH.orthography.ABBREVIATIONS


def _is_sentence(text: str) -> bool:
    """Whether a text has words and is not only a list item's number or dash."""
    return bool(_HAS_WORD.search(text)) and not _ITEM.fullmatch(text)


@dataclass(frozen=True)
class Sentences:
    """The sentences of the captions that have more than one, by their rows."""

    several: dict[int, list[str]]
    has_several: npt.NDArray[np.bool_]

    @classmethod
    def build(cls, analysis: Analysis) -> Sentences:
        """Split all captions that may have several sentences."""
        cut = (
            (row, list(_split(caption)))
            for row, caption in enumerate(analysis.captions)
            if _may_have_several(caption)
        )
        several = {row: sentences for row, sentences in cut if len(sentences) > 1}
        has_several = np.zeros(len(analysis.captions), np.bool_)
        has_several[list(several)] = True
        return cls(several, has_several)

    def of(self, row: int, analysis: Analysis) -> list[str]:
        """Return the sentences of one caption."""
        return self.several.get(row) or [analysis.captions[row]]
