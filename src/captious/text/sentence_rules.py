"""Rules by which one caption is split into sentences: punctuation, lines and list items.

A full stop ends a sentence unless it belongs to an abbreviation, an initial, or the number or dash
of an item of a list, which is no sentence of its own and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from captious.text.english import ENGLISH

# What ends a sentence.
MARKS = ".!?\u2026\u3002\uff01\uff1f"
# What may stand behind the end of a caption's last sentence.
_TRAILING = MARKS + " \t\n\r\v\f\"'`)]}*_-,;:\u201d\u2019\x85\xa0\u2028\u2029"
CLOSING = "\"'\u201d\u2019)]}*_"  # between a mark and the white space behind it
_LINE = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
# What may end a sentence; captions that have it nowhere inside are one sentence.
_INSIDE = re.compile(rf"[{MARKS}]|{_LINE.pattern}")
_CJK_MARKS = "\u3002\uff01\uff1f"
# White space, or nothing at all behind a mark of Chinese or Japanese.
_GAP = re.compile(rf"\s+|(?<=[{_CJK_MARKS}])(?=\S)")
# In one line without such marks only white space behind a mark may end a sentence: found at once.
_GAP_AFTER_MARK = re.compile(rf"[{MARKS}][{re.escape(CLOSING)}]*(\s+)")
_NEEDS_EVERY_GAP = re.compile(rf"{_LINE.pattern}|[{_CJK_MARKS}]")
_BEFORE_STOP = re.compile(r"(?<![^\s\"(\[])(\w[\w.]*)\.$")
_ITEM = r"\(?(?:\d{1,3}|[a-z])[.):]|[-*\u00b7\u2013\u2014\u2022]+|#+"
# What has a word and is not only a list item's number or dash.
SENTENCE = re.compile(rf"(?!(?:{_ITEM})\Z)[\W_]*[^\W_]", re.IGNORECASE)
ABBREVIATION_WINDOW_CHARS = 40  # letters in which an abbreviation is looked for


def split_into_sentences(caption: str) -> list[str]:
    """Split a caption into sentences; the caption itself where it is one, or has no word.

    >>> split_into_sentences("A dog sits by St. Mark's. It is brown!")
    ["A dog sits by St. Mark's.", 'It is brown!']
    >>> split_into_sentences("1. A dog\\n2. A cat")
    ['A dog', 'A cat']
    """
    return (list(split(caption)) if may_have_several(caption) else []) or [caption]


def may_have_several(caption: str) -> bool:
    """Whether a caption has something inside that may end a sentence."""
    return _INSIDE.search(caption.rstrip(_TRAILING)) is not None


def split(caption: str) -> Iterator[str]:
    """Yield the sentences of a caption; none if it has no word."""
    ends = _ends(caption) if _NEEDS_EVERY_GAP.search(caption) else _ends_behind_marks(caption)
    start = 0
    for end, next_start in ends:
        if SENTENCE.match(part := caption[start:end].strip()):
            yield part
        start = next_start
    if SENTENCE.match(rest := caption[start:].strip()):
        yield rest


def _ends(caption: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence ends and the next one starts."""
    start = 0
    for gap in _GAP.finditer(caption):
        before = caption[max(start, gap.start() - ABBREVIATION_WINDOW_CHARS) : gap.start()]
        if _is_end(before, gap[0], caption[gap.end() : gap.end() + 1]):
            start = gap.end()
            yield gap.start(), start


def _ends_behind_marks(caption: str) -> Iterator[tuple[int, int]]:
    """Yield the same for a caption in one line without marks of Chinese or Japanese."""
    start = 0
    for match in _GAP_AFTER_MARK.finditer(caption):
        end, next_start = match.span(1)
        closing = end - match.start() - 1
        window = max(start, end - ABBREVIATION_WINDOW_CHARS)
        if closing < ABBREVIATION_WINDOW_CHARS and (
            closing or not is_abbreviation(caption[window:end])
        ):
            start = next_start
            yield end, start


def _is_end(before: str, gap: str, after: str) -> bool:
    """Whether a sentence ends at a gap between two texts."""
    if _LINE.search(gap):  # unless the next line goes on in lower case
        return not "a" <= after <= "z" or before.rstrip(CLOSING).endswith(tuple(MARKS))
    ending = before.rstrip(CLOSING)
    return ending.endswith(tuple(MARKS)) and not (before == ending and is_abbreviation(before))


def is_abbreviation(text: str) -> bool:
    """Whether the final full stop of a text belongs to an abbreviation."""
    return _is_abbreviated(text.rsplit(None, 1)[-1])


@lru_cache(maxsize=1 << 12)  # captions end in few different words
def _is_abbreviated(word_and_stop: str) -> bool:
    before = _BEFORE_STOP.search(word_and_stop)
    if before is None:
        return False
    word = before[1].lower()
    if len(word) == 1 or "." in word:  # initials, and what has a stop inside: U.S., e.g., p.m.
        return word[0].isalpha()
    return word in ENGLISH.orthography.ABBREVIATIONS
