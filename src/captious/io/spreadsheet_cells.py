"""Cells that no spreadsheet takes for a formula, and how they become themselves again.

A spreadsheet runs what begins like a formula, whoever wrote it. So text that begins that way gets
an apostrophe before it, which spreadsheets do not show; numbers, such as the id -5, stay as they
are. Reading takes the apostrophe away again, and one more is written before text that had one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def guarded(cell: Any) -> Any:
    """A cell as it is written."""
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def guarded_column(cells: Sequence[Any]) -> Sequence[Any]:
    """Cells as they are written: columns of numbers, which most are, without a look at each."""
    return list(map(guarded, cells)) if str in set(map(type, cells)) else cells


def unguarded(cell: str) -> str:
    """A cell as it was before it was written."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell
