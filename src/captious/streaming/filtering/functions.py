"""The functions that expressions know, each over whole columns."""

from __future__ import annotations

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


def _lower(texts: Texts) -> Texts:
    return Texts(_each((texts,), str.lower)[0])


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
    "min": _of_numbers(2, None, "two numbers or more", lambda *some: reduce(np.minimum, some)),
    "max": _of_numbers(2, None, "two numbers or more", lambda *some: reduce(np.maximum, some)),
    "round": _of_numbers(1, 2, "a number and perhaps how many digits to keep", _rounded),
    "length": _number_of(len),
    "words": Function(Texts, 1, 1, "one text", _words, counts_words=True),
    "lower": Function(Texts, 1, 1, "one text", _lower),
    "contains": _whether(lambda text, part: part in text),
    "starts_with": _whether(str.startswith),
    "ends_with": _whether(str.endswith),
}
