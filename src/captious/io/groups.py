"""Groups of the user's own: a column that says to which group a row belongs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from captious.errors import InputError, short_repr
from captious.io.input_tables import InputTable, describe, format_names
from captious.io.reference_cells import is_nothing

MOST_GROUPS = 100  # more are no groups, but something that each row has of its own
NO_GROUP = "(none)"  # of rows whose cell is empty


def groups_in(table: InputTable, name: str) -> list[str]:
    """The group of each row, as text; rows without one are a group of their own."""
    groups = [_group(table, row, name) for row in range(len(table))]
    count = len(set(groups))
    if count > MOST_GROUPS:
        raise InputError(
            f"{table.path}: column {short_repr(name)} has {count:,} different values; groups are "
            f"at most {MOST_GROUPS}"
        )
    return groups


def groups_of_samples(
    name: str,
    candidates: InputTable,
    ids: Sequence[Hashable],
    others: Sequence[tuple[InputTable, Sequence[Hashable]]],
) -> list[str]:
    """The group of each candidate: from its own table, or by the ids of another that has them."""
    if name in candidates.columns:
        return groups_in(candidates, name)
    for table, theirs in others:
        if name in table.columns:
            by_id = _by_id(table, name, theirs)
            return [by_id.get(str(image), NO_GROUP) for image in ids]
    tables = (candidates, *(table for table, _ in others))
    there = dict.fromkeys(column for table in tables for column in table.columns)
    paths = ", ".join(str(table.path) for table in tables)
    raise InputError(
        f"{paths}: no column {short_repr(name)} to group by; the columns are: {format_names(there)}"
    )


def _by_id(table: InputTable, name: str, ids: Sequence[Hashable]) -> dict[str, str]:
    by_id: dict[str, str] = {}
    for row, (image, group) in enumerate(zip(ids, groups_in(table, name), strict=True)):
        if by_id.setdefault(str(image), group) != group:
            raise InputError(
                f"{table.place(row)}: id {short_repr(image)} is of "
                f"{short_repr(by_id[str(image)])} and "
                f"{short_repr(group)} by {short_repr(name)}; give all rows of an id the same"
            )
    return by_id


def _group(table: InputTable, row: int, name: str) -> str:
    cell = table.columns[name][row]
    if is_nothing(cell) or cell == "":
        return NO_GROUP
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if not isinstance(cell, str | int | float):
        raise InputError(
            f"{table.place(row)}: {short_repr(name)} must be a text or a number to be a "
            "group, found "
            f"{describe(cell)}"
        )
    return str(cell)
