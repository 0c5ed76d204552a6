"""The file formats by name: which module reads and writes a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io import csv, json, jsonl, lines, parquet, tsv
from captious.io.file_metadata import metadata_columns
from captious.io.format_detection import detect_format
from captious.io.input_tables import InputTable
from captious.io.inputs import STANDARD_INPUT, read_standard_input
from captious.io.remote_files import AnyPath, as_path, without_query
from captious.io.text_files import read_bytes

FORMATS: dict[str, ModuleType] = {
    ".json": json,
    ".jsonl": jsonl,
    ".csv": csv,
    ".tsv": tsv,
    ".parquet": parquet,
}
TEXT = ".txt"  # read only: plain lines, or whatever else the text shows itself to be
READ: dict[str, ModuleType] = {**FORMATS, TEXT: lines}
NAMES = tuple(ending.removeprefix(".") for ending in READ)  # as an option names them
STANDARD = "-"


def format_of(path: str | Path) -> ModuleType:
    """The module that writes a file, by its name: the same for `scores.csv` and `scores.csv.gz`."""
    ending = _ending(path)
    if ending not in FORMATS:
        raise _unknown(path, FORMATS)
    return FORMATS[ending]


@check_arguments
def read_table(path: str | Path, format: str | None = None) -> InputTable:
    """The columns of any file that Captious reads; `-` is standard input.

    `format` is that of standard input, of text, and of a file whose name says none. Without it,
    standard input and text show themselves which format they have.
    """
    if format is not None and format not in NAMES:
        raise InputError(f"no format {short_repr(format)}; there are: {', '.join(NAMES)}")
    if str(path) == STANDARD:
        data = read_standard_input()
        table: InputTable = READ[f".{format or detect_format(data)}"].table_of(data, STANDARD_INPUT)
        return table
    path = as_path(path)
    ending = _ending(path)
    if ending in FORMATS:
        table = FORMATS[ending].table_of(read_bytes(path), path)
    elif format is not None:
        table = READ[f".{format}"].table_of(read_bytes(path), path)
    elif ending == TEXT:
        table = _text_table(path)
    else:
        raise _unknown(path, READ)
    return table


def _text_table(path: AnyPath) -> InputTable:
    """Plain lines, unless the text shows itself to be something else, which is then said."""
    data = read_bytes(path)
    name = detect_format(data)
    table: InputTable = READ[f".{name}"].table_of(data, path)
    if READ[f".{name}"] is lines:
        return table
    return replace(table, remarks=(*table.remarks, f"the text is {name.upper()}"))


@check_arguments
def write_columns(
    path: str | Path,
    columns: Mapping[str, Sequence[Any]],
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write columns as whatever the file's name says; `metadata` holds for all rows."""
    path = as_path(path)
    metadata = metadata or {}
    try:
        if format_of(path) is parquet:
            parquet.write_columns(path, columns, metadata)
        else:
            rows = len(next(iter(columns.values()), ()))
            format_of(path).write_columns(path, {**columns, **metadata_columns(metadata, rows)})
    except UnicodeEncodeError as error:
        raise not_valid_text(path, error) from None


def not_valid_text(path: str | Path, error: UnicodeEncodeError) -> InputError:
    """What to say where text cannot be written to a file."""
    around = error.object[max(0, error.start - 20) : error.end + 20]
    return InputError(
        f"{path}: {short_repr(around)} is not valid text (it has half a character), which "
        "only JSON can "
        "hold; name the file .json or .jsonl"
    )


def _ending(path: str | Path) -> str:
    return Path(without_query(path).lower().removesuffix(".gz")).suffix


def _unknown(path: str | Path, endings: Mapping[str, ModuleType]) -> InputError:
    return InputError(
        f"{path}: unknown kind of file; name it {', '.join(endings)}, each perhaps with .gz"
    )
