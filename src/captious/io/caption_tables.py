"""Candidates and references from the rows of a table, whatever its columns are called."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from captious.errors import InputError, short_repr, warn
from captious.io.column_roles import (
    CANDIDATE,
    DOCUMENTED_NAMES,
    ID,
    IMAGE,
    LINE,
    REFERENCES,
    ColumnRoles,
    Columns,
    find_columns,
    missing_column_error,
)
from captious.io.input_tables import InputTable, LazyColumns, as_python_argument, describe
from captious.io.parquet import table_of_arrow
from captious.io.part_folders import read_rows
from captious.io.reference_cells import ReferenceCells, check_caption

ReferencesById = dict[str, list[str]]


@dataclass(frozen=True)
class ReadOptions:
    """How files are to be read, where they do not show it themselves.

    `columns` names columns by role, `split` selects rows of one split, `format` is that of standard
    input, with `repeated` an id may have several candidates, `report` is called with a line about
    what was guessed, and `by` is a column of groups.
    """

    columns: Columns = field(default_factory=dict)
    split: str | None = None
    format: str | None = None
    repeated: bool = False
    report: Callable[[str], None] = warn
    by: str | None = None

    def read_table(self, path: str | Path) -> InputTable:
        """The rows of a file."""
        table = read_rows(path, self.format)
        require_rows(table)
        return table

    def find_columns(self, table: InputTable, *roles: str, with_ids: bool = True) -> ColumnRoles:
        """The columns of roles, of which the first must be there, and the ids `with_ids`."""
        columns = find_columns(
            table.path, table.columns, roles, self.columns, table.roles, table.option
        )
        columns_of_role = {CANDIDATE: columns.candidate, REFERENCES: columns.references}
        if not columns_of_role[roles[0]]:
            raise missing_column_error(table, roles[0])
        if with_ids and columns.id is None:
            raise missing_column_error(table, ID)
        return columns

    def report_guesses(self, table: InputTable, columns: ColumnRoles) -> None:
        """Report in one line what was guessed of a table, if anything was."""
        remarks = list(table.remarks)
        if columns.id is None and LINE not in table.columns:
            remarks.append("without ids, rows are counted")
        note = columns.note(table.form, table.option)
        if note is not None:
            remarks.insert(0, note)
        if remarks:
            self.report(f"{table.path}: {'; '.join(remarks)}")


@dataclass(frozen=True)
class CandidateFile:
    """A file's candidates in its order, and its references where it has them.

    Where `columns` has no ids, the ids are the rows' numbers from 0.
    """

    columns: ColumnRoles
    ids: list[Hashable]
    texts: list[str]
    references: ReferencesById | None
    images: list[str] | None = None

    @cached_property
    def captions(self) -> dict[str, str]:
        """Candidates by id; of several of one id, the last."""
        return dict(zip(map(str, self.ids), self.texts, strict=True))


def extract_candidates(
    table: InputTable, columns: ColumnRoles, reading: ReadOptions
) -> CandidateFile:
    """The candidates of a table, and its references where it has a column of them."""
    assert columns.candidate is not None
    ids = extract_ids(table, columns.id)
    texts = [
        check_caption(table, row, ids[row], columns.candidate, caption)
        for row, caption in enumerate(table.columns[columns.candidate])
    ]
    if not reading.repeated:
        _check_no_repeats(table, ids)
    references = (
        _references_beside_candidates(table, ids, columns.references)
        if columns.references
        else None
    )
    images = None
    cells = table.columns[columns.image] if columns.image is not None else ()
    if cells and all(isinstance(cell, str | int) for cell in cells):
        images = list(map(str, cells))  # names; other columns of images may hold pixels
    return CandidateFile(columns, ids, texts, references, images)


def references_by_id(table: InputTable, columns: ColumnRoles) -> ReferencesById:
    """A table's references by the text of their ids; an id without references has an empty list."""
    cells = ReferenceCells(table, columns.references)
    ids = extract_ids(table, columns.id)
    references: ReferencesById = {}
    if (texts := cells.single_column()) is not None:  # as in COCO's captions, which are many
        for key, caption in zip(map(str, ids), texts, strict=True):
            references.setdefault(key, []).append(caption)
        return references
    for row, image in enumerate(ids):
        captions = cells.of(row, image)
        earlier = references.setdefault(str(image), captions)
        if earlier is not captions:
            if cells.is_list(row):
                raise InputError(
                    f"{table.place(row)}: id {short_repr(image)} occurs twice; "
                    "put all references of an id into one list"
                )
            earlier += captions
    return references


def with_documented_names(table: InputTable, reading: ReadOptions) -> InputTable:
    """The table with its ids and captions under the column names of score files."""
    columns = reading.find_columns(table, CANDIDATE, REFERENCES, with_ids=False)
    ids = extract_ids(table, columns.id)
    assert columns.candidate is not None
    documented: dict[str, list[Any]] = {ID: ids, CANDIDATE: table.columns[columns.candidate]}
    if columns.references:
        cells = ReferenceCells(table, columns.references)
        documented[REFERENCES] = [cells.of(row, image) for row, image in enumerate(ids)]
    if columns.image is not None:
        documented[IMAGE] = table.columns[columns.image]
    others = [name for name in table.columns if name not in (*documented, *DOCUMENTED_NAMES[ID])]

    def column(name: str) -> list[Any]:
        return documented[name] if name in documented else table.columns[name]

    return replace(table, columns=LazyColumns([*documented, *others], column))


def score_file_ids(table: InputTable) -> list[Hashable]:
    """The ids of a score file."""
    return extract_ids(table, table.require(*DOCUMENTED_NAMES[ID]))


def extract_ids(table: InputTable, name: str | None) -> list[Hashable]:
    """The ids of a column, text or whole numbers; without one, the rows' numbers from 0."""
    if name is None:
        return list(range(len(table)))
    values = list(table.columns[name])
    for row, value in enumerate(values):
        if isinstance(value, float) and value.is_integer():
            values[row] = int(value)
        elif not isinstance(value, str | int) or isinstance(value, bool):
            raise InputError(
                f"{table.place(row)}: an id must be text or a whole number, found {describe(value)}"
            )
        elif isinstance(value, str) and not value.isascii() and _has_surrogates(value):
            raise InputError(f"{table.place(row)}: id {short_repr(value)} is not valid text")
    return values


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def require_rows(table: InputTable) -> None:
    """Raise an error if a table has no rows."""
    if not len(table):
        raise InputError(f"{table.path}: no samples; the file has no rows")


def no_references_error(table: InputTable, row: int, image: Hashable) -> InputError:
    """The error for a row that needs references and has none."""
    return InputError(
        f"{table.place(row)}: id {short_repr(image)}: no references; give at least one"
    )


def _check_no_repeats(table: InputTable, ids: Sequence[Hashable]) -> None:
    seen: set[str] = set()
    for row, image in enumerate(ids):
        if str(image) in seen:
            raise InputError(
                f"{table.place(row)}: id {short_repr(image)} occurs twice; give one candidate "
                "for each "
                f"id, or allow several with {table.option('repeated')}"
            )
        seen.add(str(image))


def _references_beside_candidates(
    table: InputTable, ids: Sequence[Hashable], names: tuple[str, ...]
) -> ReferencesById:
    """The references beside candidates, which must be the same wherever an id occurs again."""
    cells = ReferenceCells(table, names)
    references: ReferencesById = {}
    for row, image in enumerate(ids):
        captions = cells.of(row, image)
        if references.setdefault(str(image), captions) != captions:
            raise InputError(
                f"{table.place(row)}: id {short_repr(image)} occurs again with other references; "
                "give all candidates of an id the same"
            )
    return references


def tables_from_frames(candidates: Any, references: Any, reading: ReadOptions) -> list[InputTable]:
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
