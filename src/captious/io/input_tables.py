"""Named columns read from a file, each cell with a place that an error can name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from captious.errors import InputError, short_repr

MISSING: Final = object()
MAX_NAMES_LISTED = 20  # of columns that an error lists


class OptionFormatter(Protocol):
    """What writes an option as its user would, with or without what it is to be."""

    def __call__(self, name: str, /, **values: str) -> str:
        """The option's name, and values by name."""


def as_command_option(name: str, /, **values: str) -> str:
    """As `--columns id=photo`."""
    return " ".join([f"--{name}", *(f"{key}={value}" for key, value in values.items())])


def as_python_argument(name: str, /, **values: str) -> str:
    """As `columns={'id': 'photo'}`, or `columns=` where it is only named."""
    return f"{name}={values or ''}"


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
class InputTable:
    """The columns of a file; `numbers` are the rows' numbers as a user counts them.

    Where the file has a known public form, `form` names it and `roles` says which of its columns
    are ids, candidates and references. `remarks` are what else its user should know of how it was
    read, `option` writes an option as that user gives it, and `metadata` holds for all rows.
    """

    path: Path | str
    columns: Mapping[str, list[Any]]
    unit: str
    numbers: Sequence[int]
    form: str = ""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    option: OptionFormatter = as_command_option
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers)

    @classmethod
    def of_rows(
        cls, path: Path | str, rows: Iterable[Any], unit: str, numbers: Sequence[int]
    ) -> InputTable:
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

    def take(self, rows: Sequence[int]) -> InputTable:
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
            there = format_names(self.columns)
            raise InputError(f"{self.path}: no column {wanted}; the columns are: {there}")
        return name


@dataclass(frozen=True)
class ConcatenatedTable(InputTable):
    """The rows of several files, of which each still says where it stands."""

    places: Sequence[str] = ()

    def place(self, row: int) -> str:
        """The file of a row, and its place there."""
        return self.places[row]

    def take(self, rows: Sequence[int]) -> InputTable:
        """The table of some of the rows."""
        taken = replace(self, places=[self.places[row] for row in rows])
        return super(ConcatenatedTable, taken).take(rows)


def concat_tables(name: str, parts: Sequence[InputTable]) -> InputTable:
    """The rows of all parts under one name; one part alone stays as it is."""
    first, *others = parts
    if not others:
        return first
    for part in others:
        if part.form != first.form:
            raise InputError(
                f"{part.path}: not in the form of {first.path}; all parts need the same form"
            )

    def column(wanted: str) -> list[Any]:
        return [
            cell
            for part in parts
            for cell in (part.columns[wanted] if wanted in part.columns else [MISSING] * len(part))
        ]

    return ConcatenatedTable(
        name,
        LazyColumns((column for part in parts for column in part.columns), column),
        first.unit,
        range(1, sum(map(len, parts)) + 1),
        first.form,
        first.roles,
        tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
        metadata=first.metadata,
        places=[part.place(row) for part in parts for row in range(len(part))],
    )


def to_python_values(values: Sequence[Any]) -> Sequence[Any]:
    """A column as text formats write it: of single precision, as few digits as read back alike."""
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype == np.float32:
        return [float(str(value)) for value in values]
    return list(values.tolist())


def format_names(names: Iterable[str]) -> str:
    """Names as an error message lists them: the first, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - MAX_NAMES_LISTED:,} more" if len(names) > MAX_NAMES_LISTED else ""
    return (", ".join(map(short_repr, names[:MAX_NAMES_LISTED])) or "none") + more


def describe(value: Any) -> str:
    """A value as an error message shows it: its kind, and its beginning if that is short."""
    if value is MISSING:
        return "nothing"
    if value is None:
        return "null"
    text = short_repr(value).encode("ascii", "backslashreplace").decode()
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def parse_json_cell(value: Any) -> Any:
    """What a CSV cell holds: a number or a list written as JSON, or else its text."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
