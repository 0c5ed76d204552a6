"""Columns of a table as text, numbers or lists, with errors that name the row."""

from __future__ import annotations

from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.io.input_tables import InputTable, describe, parse_json_cell

MAX_JUDGEMENT = 1e150  # of a judgement: sums and squares of such numbers are still numbers


def texts(table: InputTable, name: str) -> list[str]:
    """A column of text."""
    values = _column(table, name)
    for row, value in enumerate(values):
        if not isinstance(value, str):
            raise InputError(_type_error(table, row, name, "text", value))
    return values


def texts_of_lists(table: InputTable, name: str, length: int | None = None) -> list[list[str]]:
    """A column of lists of text; in CSV, cells that hold a JSON list."""
    wanted = "a list of text" if length is None else f"a list of {length} texts"
    lists: list[list[str]] = []
    for row, value in enumerate(_column(table, name)):
        value = parse_json_cell(value)
        if (
            not isinstance(value, list)
            or not value
            or length not in (None, len(value))
            or not all(isinstance(text, str) for text in value)
        ):
            raise InputError(_type_error(table, row, name, wanted, value))
        lists.append(value)
    return lists


def pairs_of_texts(table: InputTable, name: str) -> list[tuple[str, str]]:
    """A column of two texts each."""
    return [(first, second) for first, second in texts_of_lists(table, name, length=2)]


def preferences(table: InputTable, name: str = "preferred") -> IntArray:
    """A column of which of two is preferred: 0 for the first, 1 for the second."""
    values = _column(table, name)
    preferred = [number_or_stop(table, row, name, value) for row, value in enumerate(values)]
    wrong = next((row for row, number in enumerate(preferred) if number not in (0, 1)), None)
    if wrong is not None:
        raise InputError(
            f"{table.place(wrong)}: {name!r} must be 0 for the first caption or 1 for the second, "
            f"not {describe(values[wrong])}"
        )
    return np.array(preferred).astype(np.int64)


def numbers(table: InputTable, name: str) -> FloatArray:
    """A column of finite numbers; in CSV they are text."""
    values = [
        number_or_stop(table, row, name, value) for row, value in enumerate(_column(table, name))
    ]
    return np.array(values, dtype=np.float64)


def pairs_of_numbers(table: InputTable, name: str) -> FloatArray:
    """A column of two finite numbers each; in CSV, cells that hold a JSON list."""
    pairs = []
    for row, value in enumerate(_column(table, name)):
        pair = parse_json_cell(value)
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(_type_error(table, row, name, "a list of 2 numbers", value))
        pairs.append([number_or_stop(table, row, name, number) for number in pair])
    return np.array(pairs, dtype=np.float64)


def number_or_stop(table: InputTable, row: int, name: str, value: Any) -> float:
    """A finite number."""
    number = parse_json_cell(value)
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not abs(number) <= MAX_JUDGEMENT:
        raise InputError(_type_error(table, row, name, "a number", value))
    return float(number)


def text_or_stop(value: Any) -> str:
    """A value that must be text; for readers of files that have no rows."""
    if not isinstance(value, str):
        raise TypeError(f"text expected, found {describe(value)}")
    return value


def finite_or_stop(value: Any) -> float:
    """A number, also written as text, that is no judgement unless it is finite."""
    number = float(value)
    if isinstance(value, bool) or not abs(number) <= MAX_JUDGEMENT:
        raise ValueError(f"a number expected, found {describe(value)}")
    return number


def _column(table: InputTable, name: str) -> list[Any]:
    if not len(table):
        raise InputError(f"{table.path}: the file has no rows")
    return table.columns[table.require(name)]


def _type_error(table: InputTable, row: int, name: str, wanted: str, value: Any) -> str:
    return f"{table.place(row)}: {name!r} must be {wanted}, found {describe(value)}"
