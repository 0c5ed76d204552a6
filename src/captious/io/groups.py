"""Groups of the user's own: a column that says to which group a row belongs."""

from __future__ import annotations

from captious.errors import InputError
from captious.io.reference_cells import is_nothing
from captious.io.table import Table, describe
from captious.shown import shown

MOST_GROUPS = 100  # more are no groups, but something that each row has of its own
NO_GROUP = "(none)"  # of rows whose cell is empty


def groups_in(table: Table, name: str) -> list[str]:
    """The group of each row, as text; rows without one are a group of their own."""
    groups = [_group(table, row, name) for row in range(len(table))]
    count = len(set(groups))
    if count > MOST_GROUPS:
        raise InputError(
            f"{table.path}: column {shown(name)} has {count:,} different values; groups are "
            f"at most {MOST_GROUPS}"
        )
    return groups


def _group(table: Table, row: int, name: str) -> str:
    cell = table.columns[name][row]
    if is_nothing(cell) or cell == "":
        return NO_GROUP
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if not isinstance(cell, str | int | float):
        raise InputError(
            f"{table.place(row)}: {shown(name)} must be a text or a number to be a group, found "
            f"{describe(cell)}"
        )
    return str(cell)
