"""Parquet, where pyarrow is installed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import IO, Any

import numpy as np

from captious.errors import InputError, MissingDependencyError
from captious.io.atomic_files import atomic_write
from captious.io.file_metadata import FileMetadata, from_parquet_metadata, to_parquet_metadata
from captious.io.input_tables import MISSING, InputTable, LazyColumns
from captious.io.inputs import MAX_FILE_BYTES, MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO
from captious.io.parquet_footer import ColumnChunk, read_column_chunks
from captious.io.remote_files import AnyPath, as_remote

# Rows that are all alike take no room in a file. So many are read whatever the file's size; beyond,
# so many for each of its bytes, which is more than ids and captions can be packed into.
MAX_ROWS = 10_000_000
MAX_ROWS_PER_BYTE = 10
MAX_BYTES_PER_PART = 64 << 20  # unpacked of a column
BYTES_PER_VALUE = 8  # of a number, or of a text's place in a dictionary
BYTES_PER_OBJECT = 48  # of a number or an empty list in Python, with its place in a list
BYTES_PER_DICT = 184


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


@dataclass
class SizeLimit:
    """How many bytes may be unpacked from a file; more is an error that says so."""

    path: Path | str
    most: float
    used: int = 0

    @classmethod
    def of_file(cls, path: Path | str, size: int) -> SizeLimit:
        """The limit for a file of so many bytes."""
        return cls(path, min(MAX_FILE_BYTES, max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * size)))

    def check(self, size: int) -> None:
        """Raise an error if so many bytes more are too many."""
        if not 0 <= size <= self.most - self.used:
            raise InputError(
                f"{self.path}: enormous ({self.used + size:,} bytes unpacked; at most "
                f"{self.most:,}); make it smaller"
            )

    def add(self, size: int) -> None:
        """Count so many bytes more."""
        self.check(size)
        self.used += size


class ArrowColumns(LazyColumns):
    """The columns of an Arrow table, each read and made a list when it is asked for.

    `read` gives a table of some columns, in which texts may be dictionaries: a text that many rows
    repeat is there once. They get the types of `schema` only after their size has been checked.
    """

    def __init__(self, schema: Any, read: Callable[[list[str]], Any], limit: SizeLimit) -> None:
        super().__init__(schema.names, self._list)
        self._schema, self._read, self._limit = schema, read, limit

    def take(self, rows: Sequence[int]) -> Any:
        """An Arrow table of some rows, in ascending order, with all columns."""
        arrow = pyarrow()
        with report_in_one_line(self._limit.path, arrow):
            table = self._read(list(self))
            is_whole = len(rows) == table.num_rows
            if not is_whole:
                is_taken = np.zeros(table.num_rows, bool)
                is_taken[rows] = True
                table = table.filter(arrow.array(is_taken))
            # These are the rows that were counted already, in another form.
            fresh = SizeLimit(self._limit.path, self._limit.most)
            fresh.check(sum(map(unpacked_size, table.columns)))
            table = table.cast(self._schema)
            return table if is_whole else table.combine_chunks()

    def _list(self, name: str) -> list[Any]:
        with report_in_one_line(self._limit.path, pyarrow()):
            column = self._read([name]).column(name)
            self._limit.add(unpacked_size(column) + size_in_python(column))
            kind, values = self._schema.field(name).type, []
            for part in _split_into_parts(column):
                values += (part if part.type == kind else part.cast(kind)).to_pylist()
        return values


def unpacked_size(column: Any) -> int:
    """The bytes of an Arrow array once every row has its own copy of what a dictionary holds."""
    arrow = pyarrow()
    kind = column.type
    if isinstance(column, arrow.ChunkedArray):
        return sum(map(unpacked_size, column.chunks))
    if arrow.types.is_dictionary(kind):
        return _dictionary_size(arrow, column)
    if arrow.types.is_map(kind):
        return unpacked_size(column.keys) + unpacked_size(column.items)
    if arrow.types.is_struct(kind):
        return sum(map(unpacked_size, column.flatten()))
    if arrow.types.is_nested(kind) and hasattr(column, "flatten"):
        return unpacked_size(column.flatten())
    size: int = column.nbytes
    return size


def size_in_python(column: Any) -> int:
    """About how many bytes the values of nested columns take as Python objects.

    A list of structs can hold any number of values in a few bytes. Rows of other columns have been
    counted: a file has a limited number of them.
    """
    arrow = pyarrow()
    kind = column.type
    if isinstance(column, arrow.ChunkedArray):
        return sum(map(size_in_python, column.chunks))
    if not arrow.types.is_nested(kind):
        return 0
    if arrow.types.is_struct(kind):
        parts = column.flatten()
        return BYTES_PER_DICT * len(column) + sum(map(_size_of_elements, parts))
    if arrow.types.is_map(kind):
        return sum(map(_size_of_elements, (column.keys, column.items)))
    return _size_of_elements(column.flatten()) if hasattr(column, "flatten") else 0


def _size_of_elements(array: Any) -> int:
    return BYTES_PER_OBJECT * len(array) + size_in_python(array)


def _dictionary_size(arrow: Any, array: Any) -> int:
    import pyarrow.compute as compute

    words = array.dictionary
    if not len(words):
        return int(array.nbytes)
    if not _is_text(arrow, words.type):
        return len(array) * -(-unpacked_size(words) // len(words))
    lengths = compute.take(compute.binary_length(words), array.indices)
    return int(array.indices.nbytes) + int(compute.sum(lengths).as_py() or 0)


def _is_text(arrow: Any, kind: Any) -> bool:
    return kind in (arrow.string(), arrow.large_string(), arrow.binary(), arrow.large_binary())


def _split_into_parts(column: Any) -> Iterator[Any]:
    """Arrays that together are a column, none of more bytes than are unpacked at once."""
    for chunk in column.chunks:
        left = [chunk]
        while left:
            part = left.pop()
            half = len(part) // 2
            if half and unpacked_size(part) > MAX_BYTES_PER_PART:
                left += [part.slice(half), part.slice(0, half)]
            else:
                yield part


def parse_parquet(data: bytes, path: Path | str) -> InputTable:
    """The columns of a file, each read when it is asked for."""
    arrow = pyarrow()
    with report_in_one_line(path, arrow):
        file, schema = open_parquet(lambda: io.BytesIO(data))
        about, limit = file.metadata, SizeLimit.of_file(path, len(data))
        row_groups = read_column_chunks(io.BytesIO(data))
        leaves = (about.schema.column(place) for place in range(about.num_columns))
        widths = [max(leaf.length, 0) or BYTES_PER_VALUE for leaf in leaves]
        if not 0 <= about.num_rows <= max(MAX_ROWS, MAX_ROWS_PER_BYTE * len(data)):
            raise InputError(
                f"{path}: {about.num_rows:,} rows in {len(data):,} bytes cannot be captions"
            )

    def read(names: list[str]) -> Any:
        limit.check(stored_size(row_groups, widths, names))
        # Arrow reads lists of dictionaries of one row group, not of several at once.
        groups = [file.read_row_group(place, names) for place in range(about.num_row_groups)]
        return arrow.concat_tables(groups) if groups else schema.empty_table().select(names)

    return _lazy_table(path, schema, read, limit, about.num_rows)


def open_parquet(source: Callable[[], Any]) -> tuple[Any, Any]:
    """A file whose texts are read as dictionaries, and its schema without these dictionaries.

    A file of a few kilobytes can repeat a long text in any number of rows.
    """
    arrow = pyarrow()
    file = arrow.parquet.ParquetFile(source())
    leaves = (file.metadata.schema.column(place) for place in range(file.metadata.num_columns))
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    fields = [_replace_views(arrow, field) for field in file.schema_arrow]
    schema = arrow.schema(fields, file.schema_arrow.metadata)
    return arrow.parquet.ParquetFile(source(), read_dictionary=texts), schema


def _replace_views(arrow: Any, field: Any) -> Any:
    """A field with texts in the place of views, which dictionaries cannot be cast to.

    In Parquet both are the same type.
    """
    kind = field.type
    if str(kind) in ("string_view", "binary_view"):
        return field.with_type(arrow.string() if str(kind) == "string_view" else arrow.binary())
    if arrow.types.is_struct(kind):
        parts = (kind.field(place) for place in range(kind.num_fields))
        return field.with_type(arrow.struct([_replace_views(arrow, part) for part in parts]))
    if arrow.types.is_list(kind):
        return field.with_type(arrow.list_(_replace_views(arrow, kind.value_field)))
    return field


def stored_size(
    row_groups: Sequence[Sequence[ColumnChunk]], widths: Sequence[int], names: Sequence[str]
) -> int:
    """The bytes of columns when each text of a dictionary is there once, as the footer says.

    `widths` are the bytes of a value in each column of the schema.
    """
    wanted = set(names)
    return sum(
        chunk.unpacked_bytes + width * chunk.values
        for group in row_groups
        for chunk, width in zip(group, widths, strict=True)
        if chunk.path in wanted or any(chunk.path.startswith(f"{name}.") for name in wanted)
    )


def table_of_arrow(table: Any, path: Path | str) -> InputTable:
    """The columns of an Arrow table in memory, each made a list when it is asked for."""
    return _lazy_table(path, table.schema, table.select, SizeLimit(path, inf), table.num_rows)


def table_of_batches(batches: Any, schema: Any, limit: SizeLimit) -> InputTable:
    """The columns of some rows of an opened file."""
    table = pyarrow().Table.from_batches(batches)
    return _lazy_table(limit.path, schema, table.select, limit, table.num_rows)


def _lazy_table(
    path: Path | str, schema: Any, read: Callable[[list[str]], Any], limit: SizeLimit, rows: int
) -> InputTable:
    if len(set(schema.names)) != len(schema.names):
        raise InputError(f"{path}: two columns have the same name")
    columns, metadata = ArrowColumns(schema, read, limit), from_parquet_metadata(schema.metadata)
    return InputTable(path, columns, "row", range(1, rows + 1), metadata=metadata)


@contextmanager
def report_in_one_line(path: Path | str, arrow: Any) -> Iterator[None]:
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


def write_parquet(
    path: Path | str, columns: Mapping[str, Sequence[Any]], metadata: FileMetadata | None = None
) -> None:
    """Write all columns as one row group; missing values are null."""
    arrow = pyarrow()
    table = arrow.table({name: _to_arrow_array(arrow, values) for name, values in columns.items()})
    with atomic_write(path) as stream:
        write_arrow(stream, table, metadata or {})


def write_arrow(stream: IO[bytes], table: Any, metadata: FileMetadata) -> None:
    """Write an Arrow table with additional metadata."""
    merged = {**(table.schema.metadata or {}), **to_parquet_metadata(metadata)}
    pyarrow().parquet.write_table(table.replace_schema_metadata(merged or None), stream)


def join_files(parts: Sequence[AnyPath], path: AnyPath) -> None:
    """The rows of several files as one, with types that hold all, and the metadata of the first."""
    arrow = pyarrow()
    with report_in_one_line(path, arrow):
        schemas = [arrow.parquet.read_schema(arrow_source(part)) for part in parts]
    try:
        schema = arrow.unify_schemas(schemas, promote_options="permissive")
    except (arrow.ArrowException, TypeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{path}: rows of different types cannot be one file ({reason}); write a folder"
        ) from None
    none = schema.empty_table()
    with atomic_write(path) as stream, arrow.parquet.ParquetWriter(stream, schema) as writer:
        for part in parts:
            with report_in_one_line(part, arrow):
                table = arrow.parquet.read_table(arrow_source(part))
                whole = arrow.concat_tables([none, table], promote_options="permissive")
                writer.write_table(whole.cast(schema))


def arrow_source(path: str | Path) -> Any:
    """A file as pyarrow's readers take it, wherever it is."""
    remote = as_remote(path)
    return str(path) if remote is None else remote.arrow_file()


def _to_arrow_array(arrow: Any, values: Sequence[Any]) -> Any:
    """A column of one type: ids that are numbers and text mixed, or huge numbers, become text."""
    if isinstance(values, np.ndarray):
        return arrow.array(values)
    values = [None if value is MISSING else value for value in values]
    try:
        return arrow.array(values)
    except (arrow.ArrowException, OverflowError, TypeError):
        return arrow.array([None if value is None else str(value) for value in values])
