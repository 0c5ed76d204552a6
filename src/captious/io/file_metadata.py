"""File-level metadata: Parquet metadata, or a column of the first row of a text file.

In text, the column is filled in the first row alone. Metadata inside the file cannot be lost or
mixed up with another file's, as a sidecar file could, and every program still reads the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from captious.io.input_tables import MISSING, InputTable

FileMetadata = Mapping[str, str]  # texts by name
METADATA_PREFIX = "captious."  # of names in Parquet metadata, which other programs write to, too


def metadata_columns(metadata: Mapping[str, Any], rows: int) -> dict[str, list[Any]]:
    """Return columns of `rows` rows with the metadata in the first row."""
    return {name: [text, *[MISSING] * (rows - 1)][:rows] for name, text in metadata.items()}


def to_parquet_metadata(metadata: FileMetadata) -> dict[str, str]:
    """Return the metadata under the prefixed names used in Parquet files."""
    return {f"{METADATA_PREFIX}{name}": text for name, text in metadata.items()}


def from_parquet_metadata(metadata: Mapping[bytes, bytes] | None) -> dict[str, str]:
    """Return the entries of Parquet metadata that Captious wrote, without their prefix."""
    return {
        name.removeprefix(METADATA_PREFIX.encode()).decode("utf-8", "replace"): text.decode(
            "utf-8", "replace"
        )
        for name, text in (metadata or {}).items()
        if name.startswith(METADATA_PREFIX.encode())
    }


def metadata_values(table: InputTable, name: str) -> list[str]:
    """Return the distinct metadata values of this name: one, unless files were concatenated.

    Any row may hold them: older files repeat them in every row, and sorting moves the first row.
    """
    if name in table.metadata:
        return [table.metadata[name]]
    return list(
        dict.fromkeys(str(each) for each in table.columns.get(name, ()) if _is_present(each))
    )


def _is_present(value: Any) -> bool:
    return value is not MISSING and value is not None and value == value and value != ""
