"""The functions that expressions know, each over whole columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from captious.samples import unique_rows
from captious.streaming.filtering.values import Floats, Numbers, Objects, Texts, Truths, Value
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

MAX_DECIMALS = 15  # that `round` keeps behind the point


@dataclass(frozen=True)
class Function:
    """What it takes (numbers or texts, how many), and what it makes of them."""

    of: type[Numbers | Texts]
    least: int
    most: int | None
    expected: str
    work: Callable[..., Value]
    counts_words: bool = False  # and is told the tokenizer

    def takes(self, count: int) -> bool:
        """Whether it can be given so many values."""
        return self.least <= count and (self.most is None or count <= self.most)


def _of_numbers(
    least: int, most: int | None, expected: str, work: Callable[..., Floats]
) -> Function:
    def of_columns(*columns: Numbers) -> Numbers:
        return Numbers(np.asarray(work(*(each.values for each in columns)), np.float64))

    return Function(Numbers, least, most, expected, of_columns)


def _each(columns: tuple[Texts, ...], work: Callable[..., Any]) -> tuple[Objects, Any]:
    """What is made of each row's texts, None where one is missing; and where none is."""
    known = reduce(np.logical_and, (each.known for each in columns))
    values = np.frompyfunc(lambda *texts: None if None in texts else work(*texts), len(columns), 1)(
        *(each.values for each in columns)
    )
    return np.asarray(values, object), known


def _number_of(work: Callable[[str], float], expected: str = "one text") -> Function:
    def of_columns(*columns: Texts) -> Numbers:
        return Numbers(_each(columns, work)[0].astype(np.float64))

    return Function(Texts, 1, 1, expected, of_columns)


def _whether(work: Callable[[str, str], bool]) -> Function:
    def of_columns(*columns: Texts) -> Truths:
        values, known = _each(columns, work)
        return Truths.of(np.equal(values, True).astype(np.bool_), known)

    return Function(Texts, 2, 2, "two texts", of_columns)


def _changed(work: Callable[[str], str]) -> Callable[[Texts], Texts]:
    return lambda texts: Texts(_each((texts,), work)[0])


def like(texts: Texts, pattern: str, *, any_case: bool) -> Truths:
    """Whether texts match a pattern in which % stands for any text and _ for one character.

    What stands between two % is searched for from left to right and never given up again: no
    pattern takes longer than its length times that of the text.
    """
    flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
    pieces = [
        re.compile("".join("." if letter == "_" else re.escape(letter) for letter in piece), flags)
        for piece in pattern.split("%")
    ]
    lengths = [len(piece) for piece in pattern.split("%")]

    def matches(text: str) -> bool:
        if len(pieces) == 1:
            return pieces[0].fullmatch(text) is not None
        first = pieces[0].match(text)
        tail = len(text) - lengths[-1]
        if first is None or tail < first.end() or pieces[-1].match(text, tail) is None:
            return False
        place = first.end()
        for piece in pieces[1:-1]:
            match = piece.search(text, place, tail)
            if match is None:
                return False
            place = match.end()
        return True

    values, known = _each((texts,), matches)
    return Truths.of(np.equal(values, True).astype(np.bool_), known)


def _words(texts: Texts, tokenizer: str) -> Numbers:
    """How many words each text has, counted as those of candidates are."""
    flat = texts.values.ravel().tolist()
    unique, rows = unique_rows([text or "" for text in flat])
    lengths = Analysis(unique, tokenizer).layer(Tokens).pieces.lengths[rows].astype(np.float64)
    counted = np.where(texts.known.ravel(), lengths, np.nan)
    return Numbers(counted.reshape(texts.values.shape))


def _rounded(values: Floats, digits: Floats | float = 0.0) -> Floats:
    factor = 10 ** np.clip(np.trunc(digits), -MAX_DECIMALS, MAX_DECIMALS)
    rounded: Floats = np.round(values * factor) / factor
    # What is so large that its factor is beyond all numbers has nothing behind the point.
    return np.where(np.isfinite(rounded) | ~np.isfinite(values), rounded, values)


FUNCTIONS: dict[str, Function] = {
    "abs": _of_numbers(1, 1, "one number", np.abs),
    "least": _of_numbers(2, None, "two numbers or more", lambda *some: reduce(np.minimum, some)),
    "greatest": _of_numbers(2, None, "two numbers or more", lambda *some: reduce(np.maximum, some)),
    "round": _of_numbers(1, 2, "a number and perhaps how many digits to keep", _rounded),
    "length": _number_of(len),
    "words": Function(Texts, 1, 1, "one text", _words, counts_words=True),
    "lower": Function(Texts, 1, 1, "one text", _changed(str.lower)),
    "upper": Function(Texts, 1, 1, "one text", _changed(str.upper)),
    "contains": _whether(lambda text, part: part in text),
    "starts_with": _whether(str.startswith),
    "ends_with": _whether(str.endswith),
}
