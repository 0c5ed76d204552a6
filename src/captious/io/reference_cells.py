"""The references that cells hold: lists, one text, or lists written as text."""

from __future__ import annotations

import ast
import json
from collections.abc import Hashable, Iterable
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.column_roles import LINE
from captious.io.input_tables import MISSING, InputTable, describe

# The documented column of lists: a text there that begins like a list must be one.
LIST_COLUMN = "references"


class ReferenceCells:
    """The columns of references of a table, read row by row.

    Where several columns or several files of lines hold one reference each, empty cells hold none.
    """

    def __init__(self, table: InputTable, names: tuple[str, ...]) -> None:
        self._table = table
        self._columns = {name: table.columns[name] for name in names}
        self._is_part = len(names) > 1 or names == (LINE,)
        self._single = self._columns[names[0]] if len(names) == 1 else None

    def single_column(self) -> list[str] | None:
        """The only column, where every row of it is one reference and clearly no list."""
        if self._single is None or self._is_part:
            return None
        return self._single if all(map(_is_single_reference, self._single)) else None

    def of(self, row: int, image: Hashable) -> list[str]:
        """All references of a row."""
        captions: list[str] = []
        for name, cells in self._columns.items():
            cell = cells[row]
            if type(cell) is list and all(type(each) is str for each in cell):  # the usual case
                captions += cell
            elif _is_single_reference(cell):
                if cell or not self._is_part:
                    captions.append(cell)
            else:
                captions += _parse_cell(self._table, row, image, name, cell)
        return captions

    def is_list(self, row: int) -> bool:
        """Whether a row holds a list of references, and not one of them."""
        return self._single is None or is_list_cell(self._single[row])


def _is_single_reference(cell: Any) -> bool:
    """Whether a cell is one reference, and does not even begin as a list does."""
    return type(cell) is str and not cell.lstrip().startswith("[")


def is_list_cell(cell: Any) -> bool:
    """Whether a cell is a list of references, and not one of them."""
    return not isinstance(cell, str) or cell.lstrip().startswith(('["', "['"))


def check_caption(table: InputTable, row: int, image: Hashable, name: str, value: Any) -> str:
    """Return a caption, or raise an error if it is not text."""
    if not isinstance(value, str):
        raise InputError(
            f"{table.place(row)}: id {short_repr(image)}: {name!r} must be a string, "
            f"found {describe(value)}"
        )
    return value


def is_missing(cell: Any) -> bool:
    """Whether a cell has no value: no entry, null, or a data frame's NaN or NA."""
    if isinstance(cell, float):
        return cell != cell
    return cell is MISSING or cell is None or type(cell).__name__ in ("NAType", "NaTType")


def _parse_cell(table: InputTable, row: int, image: Hashable, name: str, cell: Any) -> list[str]:
    if is_missing(cell):
        return []
    if isinstance(cell, str):
        parsed = _parse_list(cell) if is_list_cell(cell) or name == LIST_COLUMN else None
        if parsed is None and not (name == LIST_COLUMN and cell.lstrip().startswith("[")):
            return [cell]
        cell = cell if parsed is None else parsed
    if isinstance(cell, str | dict) or not isinstance(cell, Iterable) or _is_scalar_array(cell):
        raise InputError(
            f"{table.place(row)}: id {short_repr(image)}: {name!r} must be a list of strings "
            f'(in CSV written ["...", "..."]) or one string, found {describe(cell)}'
        )
    return [check_caption(table, row, image, name, caption) for caption in cell]


def _is_scalar_array(cell: Any) -> bool:
    return getattr(cell, "ndim", 1) == 0


def _parse_list(cell: str) -> list[Any] | None:
    """The list that a text holds as JSON or as Python writes it, or None."""
    if not cell.lstrip().startswith("["):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(cell.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, list):
            return value
    return None
