"""One table in several files: the rows of all, one file after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from captious.errors import InputError
from captious.io.table import MISSING, LazyColumns, Table


@dataclass(frozen=True)
class TableInParts(Table):
    """The rows of several files, of which each still says where it stands."""

    places: Sequence[str] = ()

    def place(self, row: int) -> str:
        """The file of a row, and its place there."""
        return self.places[row]

    def take(self, rows: Sequence[int]) -> Table:
        """The table of some of the rows."""
        taken = replace(self, places=[self.places[row] for row in rows])
        return super(TableInParts, taken).take(rows)


def joined_parts(name: str, parts: Sequence[Table]) -> Table:
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

    return TableInParts(
        name,
        LazyColumns((column for part in parts for column in part.columns), column),
        first.unit,
        range(1, sum(map(len, parts)) + 1),
        first.form,
        first.roles,
        tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
        once=first.once,
        places=[part.place(row) for part in parts for row in range(len(part))],
    )
