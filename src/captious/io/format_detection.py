"""Detect the format of standard input and of `.txt` files by their content."""

from __future__ import annotations

import csv
import json
from typing import Any

from captious.io.column_roles import DOCUMENTED_NAMES, is_header
from captious.io.csv import DELIMITERS, TAB

PARQUET_MAGIC = b"PAR1"
MAX_HEADER_BYTES = 1 << 16  # bytes in which a header ends


def detect_format(data: bytes) -> str:
    """The name of the format: parquet, json, jsonl, csv, tsv, or else plain lines."""
    if data.startswith(PARQUET_MAGIC):
        return "parquet"
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    first_line, _, rest = text.partition(b"\n")
    if text.startswith(b"{"):
        row = _parse_json(first_line)
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


def _parse_json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
