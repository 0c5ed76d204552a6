"""Plain text: one caption a line, or after an image's name and a tab as Flickr's files have it.

The text of a `.txt` file and of standard input may also be of another format, which its content
shows.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

from captious.io.column_roles import CANDIDATE, DOCUMENTED_NAMES, ID, LINE, REFERENCES, is_header
from captious.io.csv import DELIMITERS, TAB
from captious.io.input_tables import InputTable
from captious.io.inputs import decode_utf8

PARQUET_MAGIC = b"PAR1"
MAX_HEADER_BYTES = 1 << 16  # bytes in which a header ends
_FLICKR = re.compile(r"([^\t]+)#\d+\t([^\t]*)")


def parse_lines(data: bytes, path: Path | str) -> InputTable:
    """The lines of a file; an empty line is an empty caption."""
    # Not splitlines: a line separator inside a caption is part of it.
    lines = [line.removesuffix("\r") for line in decode_utf8(data, path).split("\n")]
    if not lines[-1]:  # behind the end of the last line
        lines.pop()
    matches = [_FLICKR.fullmatch(line) for line in lines]
    if lines and all(matches):
        fields = [match.groups() for match in matches if match is not None]
        columns = {
            "image": [image for image, _ in fields],
            "caption": [caption for _, caption in fields],
        }
        roles = {ID: ("image",), CANDIDATE: ("caption",), REFERENCES: ("caption",)}
        return InputTable(path, columns, "line", range(1, len(lines) + 1), "Flickr's tokens", roles)
    roles = {CANDIDATE: (LINE,), REFERENCES: (LINE,)}
    return InputTable(path, {LINE: lines}, "line", range(1, len(lines) + 1), roles=roles)


def detect_format(data: bytes) -> str:
    """The name of the format: parquet, json, jsonl, csv, tsv, or else txt for plain lines."""
    if data.startswith(PARQUET_MAGIC):
        return "parquet"
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    first_line, _, rest = text.partition(b"\n")
    if text.startswith(b"{"):
        row = _decode_line(first_line)
        is_row = isinstance(row, dict) and (rest.strip() or _has_documented_names(row))
        return "jsonl" if is_row else "json"
    if text.startswith(b"[") and (text[1:].lstrip().startswith((b"{", b"]"))):
        return "json"
    header = data[:MAX_HEADER_BYTES].removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    for delimiter in DELIMITERS:
        try:
            cells = next(csv.reader([header.decode().rstrip("\r")], delimiter=delimiter), [])
        except (csv.Error, UnicodeDecodeError):
            continue
        if len(cells) > 1 and is_header(cells):
            return "tsv" if delimiter == TAB else "csv"
    return "txt"


def _has_documented_names(row: dict[str, Any]) -> bool:
    return any(name in row for names in DOCUMENTED_NAMES.values() for name in names)


def _decode_line(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
