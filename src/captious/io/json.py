"""JSON and JSON Lines: rows of named values, or one of the public forms of a whole document.

Captious writes plain ASCII, and null for a number that is not defined.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.atomic_files import atomic_write
from captious.io.forms import BY_ID, form_of, table_of_document, table_of_rows
from captious.io.input_tables import MISSING, InputTable, to_python_values
from captious.io.inputs import decode_utf8

_decode_prefix = json.JSONDecoder().raw_decode


def decode_json(text: str, where: str, first_line: int = 1) -> Any:
    """The value that a text holds, or an error that says which line is malformed."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise InputError(
            f"{where}: line {line}, column {error.colno}: malformed JSON ({error.msg})"
        ) from None
    except RecursionError:
        raise InputError(f"{where}: JSON nested too deeply to be captions") from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{where}: malformed JSON ({error})") from None


def parse_json(data: bytes, path: Path | str) -> InputTable:
    """The rows of a JSON document."""
    text = decode_utf8(data, path)
    document = decode_json(text, str(path))
    if form_of(document) is BY_ID:
        _check_no_repeats(text, path)
    return table_of_document(path, document)


def _check_no_repeats(text: str, path: Path | str) -> None:
    """Stop at an id that occurs twice, of which Python keeps the last without a word."""

    def check(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise InputError(
                    f"{path}: {short_repr(name)} occurs twice; put all captions of an id into "
                    "one list"
                )
            seen.add(name)

    json.loads(text, object_pairs_hook=check)


def parse_json_lines(data: bytes, path: Path | str, lines_before: int = 0) -> InputTable:
    """The rows of a file of JSON Lines, or of the rest of one; blank lines are skipped."""
    # Not splitlines: a line separator inside a caption is part of it.
    lines = decode_utf8(data, path, lines_before).split("\n")
    first = 1 + lines_before
    numbers = [number for number, line in enumerate(lines, first) if line.strip(" \t\r")]
    rows = [_decode_line(lines[number - first], path, number) for number in numbers]
    return table_of_rows(path, rows, "line", numbers)


def _decode_line(line: str, path: Path | str, number: int) -> Any:
    """The value of a line; only a line that is not plainly one value takes the slower way."""
    try:
        value, end = _decode_prefix(line)
    except (ValueError, RecursionError):
        value, end = None, -1
    return value if end == len(line) else decode_json(line, str(path), number)


def write_json(path: Path | str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write a list with one object a row."""
    with atomic_write(path) as stream:
        body = ",\n".join(map(json_text, _rows(columns)))
        stream.write(f"[\n{body}\n]\n".encode("ascii"))


def write_json_lines(path: Path | str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write one object a line."""
    with atomic_write(path) as stream:
        for row in _rows(columns):
            stream.write(f"{json_text(row)}\n".encode("ascii"))


def _rows(columns: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """The objects that columns are written as; a missing value has no name in them."""
    for row in zip(*map(to_python_values, columns.values()), strict=True):
        values = zip(columns, row, strict=True)
        yield {name: value for name, value in values if value is not MISSING}


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON, which has no NaN and no infinity, whatever Python would write.

    ASCII alone is safe on every terminal: all that is not printable is escaped, too.
    """
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:  # rare, so that the usual value need not be copied
        return json.dumps(nan_to_none(value), indent=indent, allow_nan=False)


def nan_to_none(value: Any) -> Any:
    """A value as JSON has it: lists for tuples, None for numbers that are not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: nan_to_none(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [nan_to_none(each) for each in value]
    return value


def number_or_nan(value: object) -> float:
    """A number read from JSON, in which one that is not defined was written as null."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"not a number: {value!r}")
    if math.isinf(value):
        raise ValueError("an infinite number, which no JSON of ours has")
    return float(value)
