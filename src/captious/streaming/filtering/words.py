"""The words of an expression: numbers, texts in quotes, names, marks, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from captious.errors import InputError, short_repr

LONGEST = 10_000  # characters of an expression
LARGEST_WHOLE = 1 << 53  # beyond it, numbers with fractions miss some whole ones
KEYWORDS = frozenset(("and", "or", "not", "in", "is", "true", "false"))
NAME_QUOTE = "`"
# Digits of other scripts are no numbers here, though names may have them.
NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[^\W\d]\w*")
_MARKS = ("<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "/", "(", ")", ",")
# What people write who know other languages, and what it is here.
_ELSEWHERE = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "<>": "!=", "^": "*"}


class Sort(Enum):
    """What a word is; the value is how messages call it."""

    NUMBER = "a number"
    TEXT = "a text"
    NAME = "a name"
    QUOTED_NAME = "a name in backquotes"
    KEYWORD = "a word"
    MARK = "a mark"
    END = "the end"


@dataclass(frozen=True)
class Word:
    """A word; `text` is what it says without quotes, `start` and `end` are where it stands."""

    sort: Sort
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.sort.value if self.sort is Sort.END else short_repr(self.text)


def fault(expression: str, place: int, what: str) -> InputError:
    """What is wrong with an expression, and at which character, counted from 1."""
    return InputError(f"{short_repr(expression)}: character {place + 1}: {what}")


def words_of(expression: str) -> list[Word]:
    """All words, and the end."""
    if len(expression) > LONGEST:
        raise InputError(
            f"an expression of {len(expression):,} characters: {LONGEST:,} are read; put what it "
            "says into a column of the input"
        )
    return [*_cut(expression), Word(Sort.END, "", len(expression), len(expression))]


def _cut(expression: str) -> Iterator[Word]:
    place = 0
    while place < len(expression):
        letter = expression[place]
        if letter.isspace():
            place += 1
            continue
        if letter in "\"'`":
            word = _quoted(expression, place)
        elif number := NUMBER.match(expression, place):
            word = _number(expression, place, number.end())
        elif name := _NAME.match(expression, place):
            is_keyword = name[0].lower() in KEYWORDS
            text = name[0].lower() if is_keyword else name[0]
            sort = Sort.KEYWORD if is_keyword else Sort.NAME
            word = Word(sort, text, place, name.end())
        else:
            word = _mark(expression, place)
        yield word
        place = word.end


def _quoted(expression: str, start: int) -> Word:
    """What stands in quotes; a quote within is written twice."""
    quote = expression[start]
    place = start + 1
    parts = []
    while True:
        end = expression.find(quote, place)
        if end < 0:
            raise fault(expression, start, f"the quote {quote} is never closed")
        parts.append(expression[place:end])
        if expression[end + 1 : end + 2] != quote:
            break
        parts.append(quote)
        place = end + 2
    text = "".join(parts)
    if quote == NAME_QUOTE and not text:
        raise fault(expression, start, "a name in backquotes is empty")
    sort = Sort.QUOTED_NAME if quote == NAME_QUOTE else Sort.TEXT
    return Word(sort, text, start, end + 1)


def _number(expression: str, start: int, end: int) -> Word:
    text = expression[start:end]
    if re.match(r"[\w.]", expression[end:]):
        raise fault(
            expression,
            start,
            f"neither a number nor a name begins with {short_repr(text)} and goes on so; a "
            "name with "
            "odd characters stands in `backquotes`",
        )
    # The length first: Python refuses to read whole numbers of thousands of digits.
    if not is_exact(text):
        raise fault(
            expression, start, f"{short_repr(text)} is too large; compare it as a text, in quotes"
        )
    return Word(Sort.NUMBER, text, start, end)


def is_exact(number: str) -> bool:
    """Whether a number is one that arithmetic holds: finite and, if it is whole, exactly itself."""
    value = abs(float(number))
    is_whole = number.lstrip("+-").isdigit()
    return value < float("inf") and (not is_whole or value < LARGEST_WHOLE)


def _mark(expression: str, place: int) -> Word:
    for mark in _MARKS:
        if expression.startswith(mark, place):
            return Word(Sort.MARK, mark, place, place + len(mark))
    for other, ours in _ELSEWHERE.items():
        if expression.startswith(other, place):
            raise fault(expression, place, f"{short_repr(other)} means nothing here; write {ours}")
    raise fault(expression, place, f"{short_repr(expression[place])} means nothing here")
