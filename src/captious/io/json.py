"""JSON: a list of rows, or one of the public forms of a whole document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.atomic_files import atomic_write
from captious.io.forms import BY_ID, form_of, table_of_document
from captious.io.input_tables import MISSING, InputTable, to_python_values
from captious.io.json_text import json_text
from captious.io.text_files import decode_utf8


def parse(text: str, where: str, first_line: int = 1) -> Any:
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


def table_of(data: bytes, path: Path | str) -> InputTable:
    """The rows of a JSON document."""
    text = decode_utf8(data, path)
    document = parse(text, str(path))
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


def rows_of(columns: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """The objects that columns are written as; what is missing has no name in them."""
    for row in zip(*map(to_python_values, columns.values()), strict=True):
        values = zip(columns, row, strict=True)
        yield {name: value for name, value in values if value is not MISSING}


def write_columns(path: Path | str, columns: Mapping[str, Sequence[Any]]) -> None:
    """A list with one object a row."""
    with atomic_write(path) as stream:
        body = ",\n".join(map(json_text, rows_of(columns)))
        stream.write(f"[\n{body}\n]\n".encode("ascii"))
