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
from captious.io.input_tables import InputTable, LazyColumns, describe
from captious.io.part_folders import read_rows
from captious.io.reference_cells import ReferenceCells, caption_in

ReferencesById = dict[str, list[str]]


@dataclass(frozen=True)
class ReadOptions:
    """How files are to be read, beyond what they show themselves; `tell` is told what was guessed.

    `columns` names columns by role, `split` keeps rows of one split, `format` is that of standard
    input, with `repeated` an id may have several candidates, and `by` is a column of groups.
    """

    columns: Columns = field(default_factory=dict)
    split: str | None = None
    format: str | None = None
    repeated: bool = False
    tell: Callable[[str], None] = warn
    by: str | None = None

    def table(self, path: str | Path) -> InputTable:
        """The rows of a file."""
        table = read_rows(path, self.format)
        require_rows(table)
        return table

    def recognised(self, table: InputTable, *wanted: str, with_ids: bool = True) -> ColumnRoles:
        """The columns of roles, of which the first must be there, and the ids `with_ids`."""
        shown_by = table.path, table.columns
        columns = find_columns(*shown_by, wanted, self.columns, table.roles, table.option)
        there = {CANDIDATE: columns.candidate, REFERENCES: columns.references}
        if not there[wanted[0]]:
            raise missing_column_error(table, wanted[0])
        if with_ids and columns.id is None:
            raise missing_column_error(table, ID)
        return columns

    def tell_of(self, table: InputTable, columns: ColumnRoles) -> None:
        """Say in one line what was guessed of a table, if anything was."""
        remarks = list(table.remarks)
        if columns.id is None and LINE not in table.columns:
            remarks.append("without ids, rows are counted")
        said = [
            note for note in (columns.note(table.form, table.option), *remarks) if note is not None
        ]
        if said:
            self.tell(f"{table.path}: {'; '.join(said)}")


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
        caption_in(table, row, ids[row], columns.candidate, caption)
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
    named = table.columns[columns.image] if columns.image is not None else ()
    if named and all(isinstance(image, str | int) for image in named):
        images = list(map(str, named))  # anything else, such as pixels, is not what we look for
    return CandidateFile(columns, ids, texts, references, images)


def references_by_id(table: InputTable, columns: ColumnRoles) -> ReferencesById:
    """A table's references by the text of their ids; where there is none, the list is empty."""
    cells = ReferenceCells(table, columns.references)
    ids = extract_ids(table, columns.id)
    references: ReferencesById = {}
    if (texts := cells.one_each()) is not None:  # as in COCO's captions, of which there are many
        for key, caption in zip(map(str, ids), texts, strict=True):
            references.setdefault(key, []).append(caption)
        return references
    for row, image in enumerate(ids):
        captions = cells.of(row, image)
        before = references.setdefault(str(image), captions)
        if before is not captions:
            if cells.is_list(row):
                raise InputError(
                    f"{table.place(row)}: id {short_repr(image)} occurs twice; "
                    "put all references of an id into one list"
                )
            before += captions
    return references


def with_documented_names(table: InputTable, reading: ReadOptions) -> InputTable:
    """The table with its ids and captions under the names that files of scores have for them."""
    columns = reading.recognised(table, CANDIDATE, REFERENCES, with_ids=False)
    ids = extract_ids(table, columns.id)
    assert columns.candidate is not None
    named: dict[str, list[Any]] = {ID: ids, CANDIDATE: table.columns[columns.candidate]}
    if columns.references:
        cells = ReferenceCells(table, columns.references)
        named[REFERENCES] = [cells.of(row, image) for row, image in enumerate(ids)]
    if columns.image is not None:
        named[IMAGE] = table.columns[columns.image]
    rest = [name for name in table.columns if name not in (*named, *DOCUMENTED_NAMES[ID])]
    of = table.columns
    made = LazyColumns([*named, *rest], lambda name: named[name] if name in named else of[name])
    return replace(table, columns=made)


def ids_of_scores(table: InputTable) -> list[Hashable]:
    """Ids as they stand in a file of scores."""
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
    """Stop where there is nothing."""
    if not len(table):
        raise InputError(f"{table.path}: no samples; the file has no rows")


def no_references_error(table: InputTable, row: int, image: Hashable) -> InputError:
    """What to say of a row that has none and needs one."""
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
    """The references that stand beside candidates; an id that occurs again has the same."""
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
