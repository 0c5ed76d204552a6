"""Captions that systems were trained on: all that a file has, whatever its form."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

from captious.errors import InputError
from captious.io.caption_tables import ReadOptions, extract_candidates, extract_ids
from captious.io.captions import SPLIT
from captious.io.column_roles import CANDIDATE, REFERENCES, find_columns
from captious.io.input_tables import InputTable, format_names
from captious.io.reference_cells import ReferenceCells

SPLITS = ("train", "restval")  # Karpathy's, of which captioners see both


def read_training_captions(path: str | Path, reading: ReadOptions | None = None) -> list[str]:
    """References or, where a file has none, candidates.

    Of a file that names splits, those that captioners are trained on.
    """
    reading = reading or ReadOptions()
    table = _training_rows(reading.table(path), reading)
    columns = find_columns(table.path, table.columns, (REFERENCES,), roles=table.roles)
    if columns.references:
        cells, ids = ReferenceCells(table, columns.references), extract_ids(table, columns.id)
        captions = list(chain.from_iterable(cells.of(row, ids[row]) for row in range(len(table))))
    else:
        columns = reading.recognised(table, CANDIDATE, with_ids=False)
        captions = list(extract_candidates(table, columns, replace(reading, repeated=True)).texts)
    if not captions:
        raise InputError(f"{path}: no captions in it")
    reading.tell_of(table, columns)
    return captions


def _training_rows(table: InputTable, reading: ReadOptions) -> InputTable:
    """All rows, unless they say of which split they are."""
    if SPLIT not in table.columns:
        return table
    rows = [row for row, split in enumerate(table.columns[SPLIT]) if split in SPLITS]
    named = " and ".join(SPLITS)
    if not rows:
        there = format_names(dict.fromkeys(map(str, table.columns[SPLIT])))
        raise InputError(f"{table.path}: no rows of the splits {named}; there are: {there}")
    reading.tell(f"{table.path}: only rows of the splits {named}")
    return table.take(rows)
