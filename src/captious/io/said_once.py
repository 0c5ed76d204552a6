"""What holds for all rows of a file, written once: Parquet has it in its metadata, text in a row.

In text it is a column that is filled in the first row alone. So it cannot be lost or mistaken for
another file's, as a file beside it could, and every program still reads the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from captious.io.table import MISSING, Table

Once = Mapping[str, str]  # texts by name
OURS = "captious."  # before a name in the metadata of Parquet, where others have names, too


def in_first_row(once: Mapping[str, Any], rows: int) -> dict[str, list[Any]]:
    """Columns of so many rows that say it in the first one."""
    return {name: [text, *[MISSING] * (rows - 1)][:rows] for name, text in once.items()}


def as_metadata(once: Once) -> dict[str, str]:
    """The same under the names that it has in the metadata of Parquet."""
    return {f"{OURS}{name}": text for name, text in once.items()}


def of_metadata(metadata: Mapping[bytes, bytes] | None) -> dict[str, str]:
    """What of a file's metadata is ours."""
    return {
        name.removeprefix(OURS.encode()).decode("utf-8", "replace"): text.decode("utf-8", "replace")
        for name, text in (metadata or {}).items()
        if name.startswith(OURS.encode())
    }


def said_of(table: Table, name: str) -> list[str]:
    """The different texts that a file has of this name: one, unless it was joined of several.

    They may stand in every row, as they did once, or in any: whoever sorts rows moves the first.
    """
    if name in table.once:
        return [table.once[name]]
    return list(dict.fromkeys(str(each) for each in table.columns.get(name, ()) if _is_said(each)))


def _is_said(value: Any) -> bool:
    return value is not MISSING and value is not None and value == value and value != ""
