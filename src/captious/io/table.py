"""Named columns read from a file, each cell with a place that an error can name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from captious.errors import InputError, short_repr
from captious.io.option_names import Option, to_command

MISSING: Final = object()
MOST_NAMES = 20  # of columns that an error lists


class LazyColumns(Mapping[str, list[Any]]):
    """Columns by name, each made when it is asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], list[Any]]) -> None:
        self._names, self._make = dict.fromkeys(names), make
        self._made: dict[str, list[Any]] = {}

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class Table:
    """The columns of a file; `numbers` are the rows' numbers as a user counts them.

    Where the file has a known public form, `form` names it and `roles` says which of its columns
    are ids, candidates and references. `remarks` are what else its user should know of how it was
    read, `option` writes an option as that user gives it, and `once` is what its metadata says of
    all rows.
    """

    path: Path | str
    columns: Mapping[str, list[Any]]
    unit: str
    numbers: Sequence[int]
    form: str = ""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    option: Option = to_command
    once: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers)

    @classmethod
    def of_rows(
        cls, path: Path | str, rows: Iterable[Any], unit: str, numbers: Sequence[int]
    ) -> Table:
        """Columns from rows of named values, which need not all have the same names."""
        rows = list(rows)
        for number, row in zip(numbers, rows, strict=True):
            if not isinstance(row, dict):
                raise InputError(
                    f"{path}: {unit} {number}: expected an object with named values, "
                    f"found {describe(row)}"
                )
        # Where every row has names of its own, all columns together are the square of the rows.
        names = (name for row in rows for name in row)
        columns = LazyColumns(names, lambda name: [row.get(name, MISSING) for row in rows])
        return cls(path, columns, unit, numbers)

    def take(self, rows: Sequence[int]) -> Table:
        """The table of some of the rows."""
        columns = self.columns
        return replace(
            self,
            columns=LazyColumns(columns, lambda name: [columns[name][row] for row in rows]),
            numbers=[self.numbers[row] for row in rows],
        )

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
            wanted = " or ".join(map(repr, names))
            there = listed(self.columns)
            raise InputError(f"{self.path}: no column {wanted}; the columns are: {there}")
        return name


def plain(values: Sequence[Any]) -> Sequence[Any]:
    """A column as text formats write it: of single precision, as few digits as read back alike."""
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype == np.float32:
        return [float(str(value)) for value in values]
    return list(values.tolist())


def listed(names: Iterable[str]) -> str:
    """Names as an error message lists them: the first, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return (", ".join(map(short_repr, names[:MOST_NAMES])) or "none") + more


def describe(value: Any) -> str:
    """A value as an error message shows it: its kind, and its beginning if that is short."""
    if value is MISSING:
        return "nothing"
    if value is None:
        return "null"
    text = short_repr(value).encode("ascii", "backslashreplace").decode()
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def unpacked(value: Any) -> Any:
    """What a CSV cell holds: a number or a list written as JSON, or else its text."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
