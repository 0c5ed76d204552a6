"""The file formats by name: which module reads and writes a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io.csv import parse_csv, parse_tsv, write_csv, write_tsv
from captious.io.file_metadata import metadata_columns
from captious.io.input_tables import InputTable
from captious.io.inputs import STANDARD_INPUT, read_input, read_standard_input
from captious.io.json import parse_json, parse_json_lines, write_json, write_json_lines
from captious.io.parquet import parse_parquet, write_parquet
from captious.io.plain_text import detect_format, parse_lines
from captious.io.remote_files import AnyPath, as_path, without_query


class FileFormat(NamedTuple):
    """How files of a format are read and written; `is_ascii` says that all text is escaped."""

    parse: Callable[[bytes, Path | str], InputTable]
    write: Callable[[Path | str, Mapping[str, Sequence[Any]]], None]
    is_ascii: bool = False


PARQUET = ".parquet"
TEXT = ".txt"  # read only: plain lines, or another format that the text has
FORMATS = {
    ".json": FileFormat(parse_json, write_json, is_ascii=True),
    ".jsonl": FileFormat(parse_json_lines, write_json_lines, is_ascii=True),
    ".csv": FileFormat(parse_csv, write_csv),
    ".tsv": FileFormat(parse_tsv, write_tsv),
    PARQUET: FileFormat(parse_parquet, write_parquet),
}
PARSERS = {ending: format.parse for ending, format in FORMATS.items()}
PARSERS[TEXT] = parse_lines
NAMES = tuple(ending.removeprefix(".") for ending in PARSERS)  # as an option names them
STANDARD = "-"


def format_of(path: str | Path) -> FileFormat:
    """The format that a file is written in: the same for `scores.csv` and `scores.csv.gz`."""
    return FORMATS[_written_ending(path)]


@check_arguments
def read_table(path: str | Path, format: str | None = None) -> InputTable:
    """The columns of any file that Captious reads; `-` is standard input.

    `format` is that of standard input, of text, and of a file whose name says none. Without it,
    the format of standard input and text is detected.
    """
    if format is not None and format not in NAMES:
        raise InputError(f"no format {short_repr(format)}; there are: {', '.join(NAMES)}")
    if str(path) == STANDARD:
        data = read_standard_input()
        return PARSERS[f".{format or detect_format(data)}"](data, STANDARD_INPUT)
    path = as_path(path)
    ending = _ending(path)
    if ending in FORMATS:
        return PARSERS[ending](read_input(path), path)
    if format is not None:
        return PARSERS[f".{format}"](read_input(path), path)
    if ending == TEXT:
        return _read_text_table(path)
    raise _unknown_format_error(path, PARSERS)


def _read_text_table(path: AnyPath) -> InputTable:
    """Plain lines, or a table of the format that the text has, with a remark that says so."""
    data = read_input(path)
    name = detect_format(data)
    table = PARSERS[f".{name}"](data, path)
    if f".{name}" == TEXT:
        return table
    return replace(table, remarks=(*table.remarks, f"the text is {name.upper()}"))


@check_arguments
def write_columns(
    path: str | Path,
    columns: Mapping[str, Sequence[Any]],
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write columns in the format of the file's name; `metadata` holds for all rows."""
    path = as_path(path)
    metadata = metadata or {}
    try:
        if _written_ending(path) == PARQUET:
            write_parquet(path, columns, metadata)
        else:
            rows = len(next(iter(columns.values()), ()))
            format_of(path).write(path, {**columns, **metadata_columns(metadata, rows)})
    except UnicodeEncodeError as error:
        raise not_valid_text_error(path, error) from None


def not_valid_text_error(path: str | Path, error: UnicodeEncodeError) -> InputError:
    """The error for text that cannot be written to a file."""
    around = error.object[max(0, error.start - 20) : error.end + 20]
    return InputError(
        f"{path}: {short_repr(around)} is not valid text (it has half a character), which "
        "only JSON can "
        "hold; name the file .json or .jsonl"
    )


def _written_ending(path: str | Path) -> str:
    ending = _ending(path)
    if ending not in FORMATS:
        raise _unknown_format_error(path, FORMATS)
    return ending


def _ending(path: str | Path) -> str:
    return Path(without_query(path).lower().removesuffix(".gz")).suffix


def _unknown_format_error(path: str | Path, endings: Mapping[str, object]) -> InputError:
    return InputError(
        f"{path}: unknown kind of file; name it {', '.join(endings)}, each perhaps with .gz"
    )
