"""Table for a search: one row a model and stratum, with pre-gen and post-gen scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError, short_repr
from captious.io.formats import read_table
from captious.io.input_tables import InputTable, describe
from captious.pregen.names import METRICS

MODEL_KEYS = ("dataset", "architecture", "run")  # together, one trained model
ROW_KEYS = ("checkpoint", "num_strata", "stratum")  # distinguish the rows of one model
KEYS = (*MODEL_KEYS, *ROW_KEYS)


@dataclass(frozen=True, eq=False)
class SearchTable:
    """Columns of one length: keys as text, post-gen and pre-gen scores as numbers."""

    keys: dict[str, list[str]]
    post: dict[str, FloatArray]
    pre: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(next(iter(self.pre.values())))

    @property
    def datasets(self) -> list[str]:
        """The data set of every row."""
        return self.keys["dataset"]

    @property
    def models(self) -> IntArray:
        """The number of each row's model: its strata and checkpoints are not independent."""
        names = list(zip(*(self.keys[key] for key in MODEL_KEYS if key in self.keys), strict=True))
        codes = {name: number for number, name in enumerate(dict.fromkeys(names))}
        return np.array([codes[name] for name in names], dtype=np.int64)

    def where(self, key: str, value: str) -> SearchTable:
        """The rows with this value of a key, such as the whole test sets: `num_strata`, `1`."""
        if key not in self.keys:
            raise InputError(
                f"no key {short_repr(key)} in the table; its keys are: {', '.join(self.keys)}"
            )
        return self.take(np.flatnonzero(np.array(self.keys[key]) == value))

    def take(self, rows: IntArray) -> SearchTable:
        """The rows of these numbers, from 0 on."""
        return SearchTable(
            {name: [cells[row] for row in rows.tolist()] for name, cells in self.keys.items()},
            {name: scores[rows] for name, scores in self.post.items()},
            {name: scores[rows] for name, scores in self.pre.items()},
        )

    def concatenate(self, others: Sequence[SearchTable]) -> SearchTable:
        """The rows of several tables with the same columns, one table after another."""
        tables = (self, *others)
        return SearchTable(
            {name: [cell for each in tables for cell in each.keys[name]] for name in self.keys},
            {name: np.concatenate([each.post[name] for each in tables]) for name in self.post},
            {name: np.concatenate([each.pre[name] for each in tables]) for name in self.pre},
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*self.keys, *self.post, *self.pre)

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Sequence[Any]],
        post: Sequence[str] | None = None,
        path: str | Path = "table",
    ) -> SearchTable:
        """From columns: pre-gen metrics and keys by their names, all others post-gen metrics."""
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise InputError(f"{path}: columns of different lengths")
        rows = range(1, max(lengths, default=0) + 1)
        lists = {name: list(column) for name, column in columns.items()}
        return _parse_table(InputTable(Path(path), lists, "row", rows), post)


def read_search_table(path: str | Path, post: Sequence[str] | None = None) -> SearchTable:
    """A table from any file that Captious reads, or with tabs between cells (.txt, .tsv)."""
    # The authors' own table is text with a tab between cells.
    is_text = str(path).lower().removesuffix(".gz").endswith(".txt")
    return _parse_table(read_table(path, "tsv" if is_text else None), post)


def read_search_tables(
    paths: Sequence[str | Path], post: Sequence[str] | None = None
) -> SearchTable:
    """Several files as one table, as of several test sets; all have the same columns."""
    first, *others = (read_search_table(path, post) for path in paths)
    for path, table in zip(paths[1:], others, strict=True):
        different = sorted(set(first.columns) ^ set(table.columns))
        if different:
            raise InputError(
                f"{path}: other columns than {paths[0]}, such as {short_repr(different[0])}; "
                "tables "
                "that are searched together have the same"
            )
    return first.concatenate(others)


def _parse_table(table: InputTable, post: Sequence[str] | None) -> SearchTable:
    if not len(table):
        raise InputError(f"{table.path}: no rows; there is nothing to search")
    table.require("dataset")
    pre = [name for name in METRICS if name in table.columns]
    if not pre:
        raise InputError(f"{table.path}: no column is named as a pre-gen metric")
    if post is None:
        post = [name for name in table.columns if name not in (*KEYS, *pre)]
    if not post:
        raise InputError(f"{table.path}: no column of a post-gen metric beside the pre-gen ones")
    for name in post:
        table.require(name)
    return SearchTable(
        {key: [str(cell) for cell in table.columns[key]] for key in KEYS if key in table.columns},
        {name: _parse_numbers(table, name, finite=True) for name in post},
        {name: _parse_numbers(table, name, finite=False) for name in pre},
    )


def _parse_numbers(table: InputTable, name: str, finite: bool) -> FloatArray:
    """A column of numbers, among which pre-gen metrics may be infinite (also written as null)."""
    numbers = np.empty(len(table))
    for row, cell in enumerate(table.columns[name]):
        try:
            numbers[row] = math.inf if cell is None and not finite else float(cell)
        except (TypeError, ValueError, OverflowError):
            numbers[row] = math.nan
        if math.isnan(numbers[row]) or (finite and math.isinf(numbers[row])):
            raise InputError(
                f"{table.place(row)}: {name!r} must be a number, found {describe(cell)}; columns "
                f"are pre-gen metrics, keys ({', '.join(KEYS)}) or post-gen metrics"
            )
    return numbers
