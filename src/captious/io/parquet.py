"""Parquet, where pyarrow is installed."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from captious.errors import InputError, MissingDependencyError
from captious.files.inputs import MOST_BYTES, UNPACKED_BYTES, UNPACKED_TIMES
from captious.files.remote_files import Place, remote_at
from captious.files.text_files import written_whole
from captious.io.said_once import Once, as_metadata, of_metadata
from captious.io.table import MISSING, LazyColumns, Table

# Rows that are all alike take no room in a file. So many are read whatever the file's size; beyond,
# so many for each of its bytes, which is more than ids and captions can be packed into.
MOST_ROWS = 10_000_000
ROWS_A_BYTE = 10


def pyarrow() -> Any:
    """The library, or an error that says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingDependencyError(
            "Parquet files need pyarrow: pip install 'captious[parquet]'"
        ) from None
    return pyarrow


class ArrowColumns(LazyColumns):
    """The columns of an Arrow table, each made a list when it is asked for."""

    def __init__(self, table: Any, path: Path | str) -> None:
        super().__init__(table.column_names, self._list)
        self.table, self._path = table, path

    def _list(self, name: str) -> list[Any]:
        with one_line(self._path, pyarrow()):
            values: list[Any] = self.table.column(name).to_pylist()
        return values


def table_of(data: bytes, path: Path | str) -> Table:
    """The columns of a file."""
    arrow = pyarrow()
    with one_line(path, arrow):
        file = arrow.parquet.ParquetFile(io.BytesIO(data))
        _check_size(path, file.metadata, len(data))
        table = file.read()
    return table_of_arrow(table, path)


def table_of_arrow(table: Any, path: Path | str) -> Table:
    """The columns of an Arrow table, each made when it is asked for."""
    names = table.column_names
    if len(set(names)) != len(names):
        raise InputError(f"{path}: two columns have the same name")
    once = of_metadata(table.schema.metadata)
    rows = range(1, table.num_rows + 1)
    return Table(path, ArrowColumns(table, path), "row", rows, once=once)


def _check_size(path: Path | str, about: Any, size: int) -> None:
    """Stop before a small file that says the same thing without end fills the memory."""
    groups = (about.row_group(place) for place in range(about.num_row_groups))
    unpacked = sum(group.total_byte_size for group in groups)
    if not 0 <= unpacked <= min(MOST_BYTES, max(UNPACKED_BYTES, UNPACKED_TIMES * size)):
        raise InputError(f"{path}: enormous ({unpacked:,} bytes unpacked); make it smaller")
    if not 0 <= about.num_rows <= max(MOST_ROWS, ROWS_A_BYTE * size):
        raise InputError(f"{path}: {about.num_rows:,} rows in {size:,} bytes cannot be captions")


@contextmanager
def one_line(path: Path | str, arrow: Any) -> Iterator[None]:
    """Say in one line what a damaged file makes pyarrow raise."""
    try:
        yield
    except InputError:
        raise
    except (
        *(arrow.ArrowException, OSError, ValueError, TypeError, LookupError),
        *(ArithmeticError, ImportError, MemoryError, RecursionError, SystemError),
    ) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: not a valid Parquet file ({reason})") from None


def write_columns(path: Path | str, columns: Mapping[str, Sequence[Any]], once: Once) -> None:
    """One row group with all columns; what is missing is null, and `once` is in the metadata."""
    arrow = pyarrow()
    table = arrow.table({name: _array(arrow, values) for name, values in columns.items()})
    with written_whole(path) as stream:
        write_arrow(stream, table, once)


def write_arrow(stream: IO[bytes], table: Any, once: Once) -> None:
    """An Arrow table, with something more in its metadata."""
    metadata = {**(table.schema.metadata or {}), **as_metadata(once)}
    pyarrow().parquet.write_table(table.replace_schema_metadata(metadata or None), stream)


def join(parts: Sequence[Place], path: Place) -> None:
    """The rows of several files as one, with types that hold all, and the metadata of the first."""
    arrow = pyarrow()
    with one_line(path, arrow):
        schemas = [arrow.parquet.read_schema(arrow_source(part)) for part in parts]
    try:
        schema = arrow.unify_schemas(schemas, promote_options="permissive")
    except (arrow.ArrowException, TypeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{path}: rows of different types cannot be one file ({reason}); write a folder"
        ) from None
    none = schema.empty_table()
    with written_whole(path) as stream, arrow.parquet.ParquetWriter(stream, schema) as writer:
        for part in parts:
            with one_line(part, arrow):
                table = arrow.parquet.read_table(arrow_source(part))
                whole = arrow.concat_tables([none, table], promote_options="permissive")
                writer.write_table(whole.cast(schema))


def arrow_source(path: str | Path) -> Any:
    """A file as pyarrow's readers take it, wherever it is."""
    remote = remote_at(path)
    return str(path) if remote is None else remote.arrow_file()


def _array(arrow: Any, values: Sequence[Any]) -> Any:
    """A column of one type: ids that are numbers and text mixed, or huge numbers, become text."""
    if isinstance(values, np.ndarray):
        return arrow.array(values)
    values = [None if value is MISSING else value for value in values]
    try:
        return arrow.array(values)
    except (arrow.ArrowException, OverflowError, TypeError):
        return arrow.array([None if value is None else str(value) for value in values])
