"""Columns of values while an expression is evaluated: numbers, texts, truth values, raw cells.

What the user's own columns hold is known only row by row: a cell becomes a number or a text by what
it is compared with, and one that cannot is an error that names it. Where something is missing,
numbers have NaN, texts None, and truth values are unknown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError, short_repr
from captious.io.input_tables import describe
from captious.io.reference_cells import is_missing

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Objects = npt.NDArray[np.object_]

# Texts that stand for a number that is not there, in any case.
NO_NUMBER = frozenset(("", "nan", "na", "n/a", "null", "none"))
_PLAIN = {int, float}
LARGEST_WHOLE = 1 << 53  # beyond it, numbers with fractions miss some whole ones
# Digits of other scripts are no numbers here, though names may have them.
NUMBER = re.compile(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def is_exact(number: str) -> bool:
    """Whether a number is one that arithmetic holds: finite and, if it is whole, exactly itself."""
    value = abs(float(number))
    is_whole = number.lstrip("+-").isdigit()
    return value < float("inf") and (not is_whole or value < LARGEST_WHOLE)


@dataclass(frozen=True)
class Numbers:
    """One number per row, or one for all rows."""

    values: Floats


@dataclass(frozen=True)
class Texts:
    """One text per row, or one for all rows."""

    values: Objects

    @property
    def known(self) -> Flags:
        """Where there is one."""
        flat = (value is not None for value in self.values.ravel().tolist())
        known = np.fromiter(flat, np.bool_, self.values.size)
        return known.reshape(self.values.shape)


@dataclass(frozen=True)
class Truths:
    """Truth values of SQL, row by row: true, false or unknown."""

    true: Flags
    known: Flags

    @classmethod
    def of(cls, true: Flags, known: Flags) -> Truths:
        """Return truth values of which those that are unknown are not true."""
        return cls(true & known, np.asarray(known))

    def __invert__(self) -> Truths:
        return Truths.of(~self.true, self.known)

    def __and__(self, other: Truths) -> Truths:
        known = (self.known & other.known) | (self.known & ~self.true) | (other.known & ~other.true)
        return Truths.of(self.true & other.true, known)

    def __or__(self, other: Truths) -> Truths:
        return ~(~self & ~other)


@dataclass(frozen=True)
class Cells:
    """A column of the user's own; `place` says where a row stands.

    In a file of nothing but texts, an empty cell is one that is missing.
    """

    name: str
    values: Sequence[Any]
    place: Callable[[int], str]
    are_texts: bool = False

    @property
    def missing(self) -> Flags:
        """Where there is no value."""
        return np.fromiter(map(self.is_missing, self.values), np.bool_, len(self.values))

    def is_missing(self, cell: Any) -> bool:
        """Return whether a cell is empty."""
        return is_missing(cell) or (self.are_texts and cell == "")

    def numbers(self) -> Numbers:
        """Return the numbers that cells are, to be compared or calculated with."""
        if set(map(type, self.values)) <= _PLAIN:  # most are
            try:
                values = np.array(self.values, np.float64)
            except OverflowError:  # a whole number of hundreds of digits
                values = np.full(len(self.values), np.inf)
            if not (np.abs(values) >= LARGEST_WHOLE).any():
                return Numbers(values)
        each = (self.number(row, cell) for row, cell in enumerate(self.values))
        return Numbers(np.fromiter(each, np.float64, len(self.values)))

    def number(self, row: int, cell: Any) -> float:
        """Return the number that a cell is, or raise an error that names it."""
        number = math.nan if self.is_missing(cell) else number_in(cell)
        if number is None:
            raise self._fault(row, "a number")
        if math.isinf(number) and not isinstance(cell, float):
            raise InputError(
                f"{self.place(row)}: column {short_repr(self.name)}: {describe(cell)} is too "
                "large to "
                "be calculated with; compare it as a text, in single quotes"
            )
        return number

    def texts(self) -> Texts:
        """Return the texts that cells are; whole numbers, which ids may be, are their digits."""
        values = np.empty(len(self.values), object)
        for row, cell in enumerate(self.values):
            values[row] = self.text(row, cell)
        return Texts(values)

    def text(self, row: int, cell: Any) -> str | None:
        """Return the text that a cell is, or raise an error that names it."""
        if self.is_missing(cell):
            return None
        if isinstance(cell, str):
            return str(cell)
        if isinstance(cell, int) and not isinstance(cell, bool):
            try:
                return str(cell)
            except ValueError:  # of thousands of digits, which Python does not write
                pass
        raise self._fault(row, "a text")

    def truths(self) -> Truths:
        """Return the truth values that cells are."""
        true = np.zeros(len(self.values), np.bool_)
        known = np.ones(len(self.values), np.bool_)
        for row, cell in enumerate(self.values):
            if self.is_missing(cell):
                known[row] = False
            elif isinstance(cell, bool | np.bool_):
                true[row] = cell
            elif isinstance(cell, str) and cell.lower() in ("true", "false"):
                true[row] = cell.lower() == "true"
            else:
                raise self._fault(row, "true or false")
        return Truths.of(true, known)

    def _fault(self, row: int, wanted: str) -> InputError:
        return InputError(
            f"{self.place(row)}: column {short_repr(self.name)}: {wanted} is needed here, found "
            f"{describe(self.values[row])}"
        )


Value = Numbers | Texts | Truths | Cells


def number_in(cell: Any) -> float | None:
    """Return the number that a cell is or spells: infinite where it is too large to be exact.

    NaN where a text says that there is none; None for anything else.
    """
    if isinstance(cell, bool | np.bool_):
        return None
    if isinstance(cell, int):
        return float(cell) if abs(cell) < LARGEST_WHOLE else math.inf
    if isinstance(cell, float | Decimal):
        return float(cell)
    return _number_in_text(cell) if isinstance(cell, str) else None


def _number_in_text(cell: str) -> float | None:
    text = cell.strip()
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if NUMBER.fullmatch(unsigned):
        return float(text) if is_exact(text) else math.inf
    return math.nan if text.lower() in NO_NUMBER else None
