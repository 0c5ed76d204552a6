"""Columns of a table as text, numbers or lists, with errors that name the row."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.table import Table, describe
from captious.ragged import FloatArray


def texts(table: Table, name: str) -> list[str]:
    """A column of text."""
    values = _column(table, name)
    for row, value in enumerate(values):
        if not isinstance(value, str):
            raise InputError(_wrong(table, row, name, "text", value))
    return values


def texts_of_lists(table: Table, name: str, length: int | None = None) -> list[list[str]]:
    """A column of lists of text; in CSV, cells that hold a JSON list."""
    wanted = "a list of text" if length is None else f"a list of {length} texts"
    found: list[list[str]] = []
    for row, value in enumerate(_column(table, name)):
        value = unpacked(value)
        if (
            not isinstance(value, list)
            or not value
            or length not in (None, len(value))
            or not all(isinstance(text, str) for text in value)
        ):
            raise InputError(_wrong(table, row, name, wanted, value))
        found.append(value)
    return found


def numbers(table: Table, name: str) -> FloatArray:
    """A column of finite numbers; in CSV they are text."""
    values = [
        number_or_stop(table, row, name, value) for row, value in enumerate(_column(table, name))
    ]
    return np.array(values, dtype=np.float64)


def number_or_stop(table: Table, row: int, name: str, value: Any) -> float:
    """A finite number."""
    number = unpacked(value)
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise InputError(_wrong(table, row, name, "a number", value))
    return float(number)


def unpacked(value: Any) -> Any:
    """What a CSV cell holds: a number or a list written as JSON, or else its text."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _column(table: Table, name: str) -> list[Any]:
    if not len(table):
        raise InputError(f"{table.path}: the file has no rows")
    return table.columns[table.require(name)]


def _wrong(table: Table, row: int, name: str, wanted: str, value: Any) -> str:
    return f"{table.place(row)}: {name!r} must be {wanted}, found {describe(value)}"
