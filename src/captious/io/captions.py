"""Candidates and references from files and tables, matched by id into a corpus."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from captious.corpus import Corpus, ReferenceColumns, check_same_images
from captious.errors import InputError, short_repr
from captious.io.caption_tables import (
    CandidateFile,
    ReadOptions,
    ReferencesById,
    extract_candidates,
    extract_ids,
    no_references_error,
    references_by_id,
)
from captious.io.column_roles import (
    CANDIDATE,
    DOCUMENTED_NAMES,
    ID,
    IMAGE,
    REFERENCES,
    ColumnRoles,
    Columns,
    check_roles,
    unmatched_names,
)
from captious.io.formats import STANDARD
from captious.io.input_tables import InputTable, concat_tables, describe, format_names
from captious.io.reference_cells import is_missing

SPLIT = "split"
MAX_GROUPS = 100  # a column of more values is no column of groups
NO_GROUP = "(none)"  # of rows whose cell is empty


def read_corpus(
    candidates: str | Path,
    references: str | Path | Sequence[str | Path] | None = None,
    reading: ReadOptions | None = None,
    *,
    needs_references: bool = True,
) -> Corpus:
    """A corpus from a file of candidates and files of references, or one file with both."""
    reading = reading or ReadOptions()
    tables = read_tables(candidates, references, reading)
    return corpus_from_tables(tables, reading, needs_references=needs_references)


def read_systems(
    systems: Mapping[str, Sequence[str | Path]],
    references: Sequence[str | Path],
    reading: ReadOptions,
    *,
    needs_references: bool = True,
) -> dict[str, Corpus]:
    """The corpora of systems for the same images, each perhaps in several files.

    References are read once.
    """
    _check_standard_input([path for paths in (*systems.values(), references) for path in paths])
    tables = [reading.read_table(path) for path in references]
    corpora: dict[str, Corpus] = {}
    known: ReferencesById | None = None
    for name, paths in systems.items():
        parts = [reading.read_table(path) for path in paths]
        candidates = concat_tables(str(Path(paths[0]).parent), parts)
        corpora[name], by_id = match_references(
            [candidates, *tables], reading, needs_references=needs_references, known=known
        )
        known = by_id if tables else None
    check_same_images(corpora)
    return corpora


def read_tables(
    candidates: str | Path,
    references: str | Path | Sequence[str | Path] | None,
    reading: ReadOptions,
) -> list[InputTable]:
    """The rows of all files: the candidates' first."""
    paths = [references] if isinstance(references, str | Path) else list(references or ())
    _check_standard_input([candidates, *paths])
    return [reading.read_table(path) for path in (candidates, *paths)]


def _check_standard_input(paths: Sequence[str | Path]) -> None:
    if list(map(str, paths)).count(STANDARD) > 1:
        raise InputError("standard input can be read only once; name files for the others")


def corpus_from_tables(
    tables: Sequence[InputTable], reading: ReadOptions, *, needs_references: bool
) -> Corpus:
    """A corpus from tables: of candidates, and of references unless the candidates have them.

    Without `needs_references`, a candidate may have none.
    """
    return match_references(tables, reading, needs_references=needs_references)[0]


def match_references(
    tables: Sequence[InputTable],
    reading: ReadOptions,
    *,
    needs_references: bool,
    known: ReferencesById | None = None,
) -> tuple[Corpus, ReferencesById]:
    """A corpus, and all references of its tables by the text of their ids.

    `known` are these references, if they were read before.
    """
    _check_columns(reading.columns, tables)
    candidates, *references = _select_split(tables, reading.split)
    roles = (CANDIDATE,) if references else (CANDIDATE, REFERENCES)
    columns = reading.find_columns(candidates, *roles, with_ids=False)
    others = [
        (table, reading.find_columns(table, REFERENCES, with_ids=False)) for table in references
    ]
    file = extract_candidates(candidates, columns, reading)
    _check_ids(candidates, file, others)
    by_id = file.references
    if others:
        by_id = _merge_references(others) if known is None else known
    if needs_references:
        _check_references(candidates, file, others, by_id)
    reading.report_guesses(candidates, columns)
    if known is None:
        for table, its_columns in others:
            reading.report_guesses(table, its_columns)
    by_id = by_id or {}
    return _add_groups(_match_by_id(file, by_id), candidates, file, others, reading), by_id


def _add_groups(
    corpus: Corpus,
    candidates: InputTable,
    file: CandidateFile,
    others: Sequence[tuple[InputTable, ColumnRoles]],
    reading: ReadOptions,
) -> Corpus:
    """The corpus with the groups by which it is scored."""
    if reading.by is None:
        return corpus
    with_ids = [(table, extract_ids(table, columns.id)) for table, columns in others]
    groups = groups_of_samples(reading.by, candidates, file.ids, with_ids)
    return replace(corpus, groups={reading.by: groups})


def read_candidates(path: str | Path, reading: ReadOptions | None = None) -> CandidateFile:
    """COCO results, or rows of `id`, `candidate` and perhaps `references`."""
    reading = reading or ReadOptions()
    table = reading.read_table(path)
    columns = reading.find_columns(table, CANDIDATE, REFERENCES)
    file = extract_candidates(table, columns, reading)
    reading.report_guesses(table, columns)
    return file


def captions_beside_scores(table: InputTable) -> Corpus | None:
    """The captions of a score file, if it holds them under their documented names."""
    if CANDIDATE not in table.columns:
        return None
    references = (REFERENCES,) if REFERENCES in table.columns else ()
    image = IMAGE if IMAGE in table.columns else None
    columns = ColumnRoles(table.require(*DOCUMENTED_NAMES[ID]), CANDIDATE, references, image)
    file = extract_candidates(table, columns, ReadOptions(repeated=True))
    return _match_by_id(file, file.references or {})


def read_references(path: str | Path, reading: ReadOptions | None = None) -> ReferencesById:
    """COCO captions, rows of `id` and `references`, or rows of `id` and one `reference`."""
    reading = reading or ReadOptions()
    table = reading.read_table(path)
    columns = reading.find_columns(table, REFERENCES)
    references = references_by_id(table, columns)
    if not all(references.values()):
        ids = extract_ids(table, columns.id)
        row = next(row for row, image in enumerate(ids) if not references[str(image)])
        raise no_references_error(table, row, ids[row])
    reading.report_guesses(table, columns)
    return references


def _match_by_id(file: CandidateFile, by_id: ReferencesById) -> Corpus:
    """Each candidate with its image's references.

    Files are matched by the ids' text; scores carry the ids as the candidates have them.
    """
    texts = list(map(str, file.ids))
    firsts = {text: row for row, text in reversed(list(enumerate(texts)))}
    rows = sorted(firsts.values())  # of the first candidate of each image
    columns = ReferenceColumns.from_sets(
        [file.ids[row] for row in rows],
        [by_id.get(texts[row], []) for row in rows],
        None if file.images is None else [file.images[row] for row in rows],
    )
    unused = len(by_id.keys() - firsts.keys())
    if len(rows) == len(texts):
        return Corpus(file.texts, columns, unused)
    numbers = {texts[row]: number for number, row in enumerate(rows)}
    image_of = np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))
    return Corpus(file.texts, columns, unused, image_of)


def _check_ids(
    candidates: InputTable, file: CandidateFile, others: Sequence[tuple[InputTable, ColumnRoles]]
) -> None:
    """Stop where tables can be matched neither by their ids nor by the order of their rows."""
    for table, columns in others:
        if (columns.id is None) != (file.columns.id is None):
            with_ids, without = (candidates, table) if columns.id is None else (table, candidates)
            raise InputError(
                f"{without.path} has no ids and {with_ids.path} has; give both ids, or neither and "
                "one line or row for each candidate"
            )
        if columns.id is None and len(table) != len(file.ids):
            raise InputError(
                f"{table.path}: {len(table)} rows, but {candidates.path} has {len(file.ids)}; "
                "without ids, rows are matched by their order"
            )


def _merge_references(others: Sequence[tuple[InputTable, ColumnRoles]]) -> ReferencesById:
    """The references of all tables together: by id, or by the order of rows that have no ids."""
    merged: ReferencesById = {}
    for table, columns in others:
        for image, captions in references_by_id(table, columns).items():
            merged.setdefault(image, []).extend(captions)
    return merged


def _check_references(
    table: InputTable,
    file: CandidateFile,
    others: Sequence[tuple[InputTable, ColumnRoles]],
    by_id: ReferencesById | None,
) -> None:
    """Stop where a candidate has no references."""
    if by_id is None:
        raise InputError(
            f"{table.path}: no column 'references'; add one, or name them with "
            f"{table.option('references')} (the columns are: {format_names(table.columns)})"
        )
    absent = [row for row, image in enumerate(file.ids) if not by_id.get(str(image))]
    if not absent:
        return
    image = file.ids[absent[0]]
    if not others:
        raise no_references_error(table, absent[0], image)
    more = len({str(file.ids[row]) for row in absent}) - 1
    example = next((key for key in by_id if by_id[key]), None)
    raise InputError(
        f"{table.path}: id {short_repr(image)} has no references in "
        f"{', '.join(str(other.path) for other, _ in others)}"
        f"{f' (and {more} more ids)' if more else ''}"
        f"{'' if example is None else f', which has ids such as {short_repr(example)}'}"
        f"; add references or drop the candidate{_guessed_ids_hint(others)}"
    )


def _guessed_ids_hint(tables: Sequence[tuple[InputTable, ColumnRoles]]) -> str:
    """A hint at other columns of ids where these were guessed: a guess is never silent."""
    for table, columns in tables:
        if columns.id is not None and (columns.id in columns.guesses or table.form):
            others = table.option("columns", id="NAME")
            return f" (ids are from {short_repr(columns.id)}; others: {others})"
    return ""


def _check_columns(columns: Columns, tables: Sequence[InputTable]) -> None:
    """Raise an error if a user named a column that no table has."""
    check_roles(columns)
    there = dict.fromkeys(name for table in tables for name in table.columns)
    for role, given in columns.items():
        absent = unmatched_names(there, given)
        if absent:
            raise InputError(
                f"{_format_paths(tables)}: no column {short_repr(absent[0])} for {role}; the "
                "columns are: "
                f"{format_names(there)}"
            )


def _select_split(tables: Sequence[InputTable], split: str | None) -> list[InputTable]:
    """The rows of one split, of each table that has a column of splits."""
    if split is None:
        return list(tables)
    if not any(SPLIT in table.columns for table in tables):
        raise InputError(f"{_format_paths(tables)}: no column 'split'; leave --split out")
    return [_rows_of_split(table, split) if SPLIT in table.columns else table for table in tables]


def _rows_of_split(table: InputTable, split: str) -> InputTable:
    splits = table.columns[SPLIT]
    rows = [row for row, value in enumerate(splits) if value == split]
    if not rows:
        there = format_names(dict.fromkeys(map(str, splits)))
        raise InputError(f"{table.path}: no split {short_repr(split)}; there are: {there}")
    return table.take(rows)


def _format_paths(tables: Sequence[InputTable]) -> str:
    return ", ".join(str(table.path) for table in tables)


def groups_of_rows(table: InputTable, name: str) -> list[str]:
    """The group of each row, as text; rows without one are a group of their own."""
    groups = [_group_of_row(table, row, name) for row in range(len(table))]
    count = len(set(groups))
    if count > MAX_GROUPS:
        raise InputError(
            f"{table.path}: column {short_repr(name)} has {count:,} different values; groups are "
            f"at most {MAX_GROUPS}"
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
        return groups_of_rows(candidates, name)
    for table, its_ids in others:
        if name in table.columns:
            by_id = _groups_by_id(table, name, its_ids)
            return [by_id.get(str(image), NO_GROUP) for image in ids]
    tables = (candidates, *(table for table, _ in others))
    there = dict.fromkeys(column for table in tables for column in table.columns)
    paths = ", ".join(str(table.path) for table in tables)
    raise InputError(
        f"{paths}: no column {short_repr(name)} to group by; the columns are: {format_names(there)}"
    )


def _groups_by_id(table: InputTable, name: str, ids: Sequence[Hashable]) -> dict[str, str]:
    by_id: dict[str, str] = {}
    for row, (image, group) in enumerate(zip(ids, groups_of_rows(table, name), strict=True)):
        if by_id.setdefault(str(image), group) != group:
            raise InputError(
                f"{table.place(row)}: id {short_repr(image)} is of "
                f"{short_repr(by_id[str(image)])} and "
                f"{short_repr(group)} by {short_repr(name)}; give all rows of an id the same"
            )
    return by_id


def _group_of_row(table: InputTable, row: int, name: str) -> str:
    cell = table.columns[name][row]
    if is_missing(cell) or cell == "":
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
