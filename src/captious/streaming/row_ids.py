"""Row ids for files without an id column: file name and row number."""

from __future__ import annotations

from dataclasses import replace

from captious.io.caption_tables import ReadOptions
from captious.io.column_roles import CANDIDATE, ID
from captious.io.input_tables import InputTable


def with_row_ids(table: InputTable, reading: ReadOptions) -> InputTable:
    """The table of a chunk with a column of ids: counting rows would begin anew in each chunk."""
    if reading.find_columns(table, CANDIDATE, with_ids=False).id is not None:
        return table
    ids = [f"{table.path}:{number}" for number in table.numbers]
    roles = {**table.roles, ID: (ID,)} if table.roles else table.roles
    return replace(table, columns={**table.columns, ID: ids}, roles=roles)
