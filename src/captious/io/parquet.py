"""Parquet, where pyarrow is installed."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.errors import InputError, MissingDependencyError
from captious.io.files import read_bytes, written_whole
from captious.io.table import Table


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingDependencyError(
            "Parquet files need pyarrow: pip install 'captious[parquet]'"
        ) from None
    return pyarrow


def read_table(path: Path) -> Table:
    """The columns of a file."""
    arrow = _pyarrow()
    try:
        table = arrow.parquet.read_table(io.BytesIO(read_bytes(path)))
        columns = {name: table.column(name).to_pylist() for name in table.column_names}
    except (arrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: not a sound Parquet file ({reason})") from None
    return Table(path, columns, "row", range(1, table.num_rows + 1))


def write_columns(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """One row group with all columns."""
    arrow = _pyarrow()
    table = arrow.table({name: _array(arrow, values) for name, values in columns.items()})
    with written_whole(path) as stream:
        arrow.parquet.write_table(table, stream)


def _array(arrow: Any, values: Sequence[Any]) -> Any:
    """A column of one type: ids that are numbers and text mixed, or huge numbers, become text."""
    try:
        return arrow.array(values)
    except (arrow.ArrowException, OverflowError, TypeError):
        return arrow.array(list(map(str, values)))
