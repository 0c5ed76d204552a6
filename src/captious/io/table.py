"""Named columns read from a file, each cell with a place that an error can name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from captious.errors import InputError

MISSING: Final = object()


@dataclass(frozen=True)
class Table:
    """The columns of a file; `numbers` are the rows' numbers as a user counts them."""

    path: Path
    columns: dict[str, list[Any]]
    unit: str
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    @classmethod
    def of_rows(cls, path: Path, rows: Iterable[Any], unit: str, numbers: Sequence[int]) -> Table:
        """Columns from rows of named values, which need not all have the same names."""
        rows = list(rows)
        for number, row in zip(numbers, rows, strict=True):
            if not isinstance(row, dict):
                raise InputError(
                    f"{path}: {unit} {number}: expected an object with named values, "
                    f"found {describe(row)}"
                )
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [row.get(name, MISSING) for row in rows] for name in names}
        return cls(path, columns, unit, numbers)

    def place(self, row: int) -> str:
        """Where a row stands: the beginning of an error message."""
        return f"{self.path}: {self.unit} {self.numbers[row]}"

    def find(self, *names: str) -> str | None:
        """The first of these names that is a column."""
        return next((name for name in names if name in self.columns), None)

    def require(self, *names: str) -> str:
        """The first of these names that is a column, or an error that says which are there."""
        name = self.find(*names)
        if name is None:
            there = ", ".join(map(repr, self.columns)) or "none"
            wanted = " or ".join(map(repr, names))
            raise InputError(f"{self.path}: no column {wanted}; the columns are: {there}")
        return name


def describe(value: Any) -> str:
    """A value as an error message shows it: its kind, and its beginning if that is short."""
    if value is MISSING:
        return "nothing"
    if value is None:
        return "null"
    text = ascii(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
