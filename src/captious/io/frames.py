"""Tables in memory: a data frame of pandas or a table of Arrow, read as a file's columns are.

Neither library is imported here: who hands over such an object has it already.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from captious.errors import InputError
from captious.io.caption_tables import ReadOptions, require_rows
from captious.io.input_tables import InputTable, LazyColumns, as_python_argument
from captious.io.parquet import table_of_arrow


def tables_in_memory(candidates: Any, references: Any, reading: ReadOptions) -> list[InputTable]:
    """The candidates' table and perhaps the references'; none where captions are no tables."""
    if not _is_frame(candidates):
        if _is_frame(references):
            raise InputError("references in a table need candidates in a table, too")
        if reading.columns or reading.repeated:
            raise InputError(
                "`columns` and `repeated` are for tables; lists and dicts have no columns"
            )
        return []
    tables = [_table_of_frame(candidates, "the candidates")]
    if references is not None:
        if not _is_frame(references):
            raise InputError("candidates in a table need references in a table, or in its columns")
        tables.append(_table_of_frame(references, "the references"))
    for table in tables:
        require_rows(table)
    return tables


def _is_frame(value: object) -> bool:
    """Whether a value is a table with named columns of one of these libraries."""
    return _library(value) is not None


def _table_of_frame(value: Any, called: str) -> InputTable:
    """The columns of such a table; an index of pandas that has a name is a column, too."""
    if _library(value) == "pyarrow":
        import pyarrow

        is_batch = isinstance(value, pyarrow.RecordBatch)
        table = table_of_arrow(pyarrow.table(value) if is_batch else value, called)
        return replace(table, option=as_python_argument)
    named = [name for name in value.index.names if name is not None]
    if named and not set(map(str, named)) & set(map(str, value.columns)):
        value = value.reset_index(names=list(map(str, value.index.names)))
    names = list(map(str, value.columns))
    if len(set(names)) != len(names):
        raise InputError(f"{called}: two columns have the same name")
    places = {name: place for place, name in enumerate(names)}

    def column(name: str) -> list[Any]:
        cells: list[Any] = value.iloc[:, places[name]].tolist()
        return cells

    columns, numbers = LazyColumns(names, column), range(1, len(value) + 1)
    return InputTable(called, columns, "row", numbers, option=as_python_argument)


def _library(value: object) -> str | None:
    known = {("pandas", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")}
    kinds = ((kind.__module__.partition(".")[0], kind.__name__) for kind in type(value).__mro__)
    return next((library for library, name in kinds if (library, name) in known), None)
