"""Which format bytes have, by what they hold: of standard input and of text without a header."""

from __future__ import annotations

import csv
import json
from typing import Any

from captious.io.csv import DELIMITERS, TAB
from captious.io.recognition import DOCUMENTED, is_header

PARQUET_MARK = b"PAR1"
MOST_HEADER = 1 << 16  # bytes in which a header ends


def format_in(data: bytes) -> str:
    """The name of the format: parquet, json, jsonl, csv, tsv, or else plain lines."""
    if data.startswith(PARQUET_MARK):
        return "parquet"
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    first_line, _, rest = text.partition(b"\n")
    if text.startswith(b"{"):
        row = _parsed(first_line)
        is_row = isinstance(row, dict) and (rest.strip() or _has_documented_names(row))
        return "jsonl" if is_row else "json"
    if text.startswith(b"[") and (text[1:].lstrip().startswith((b"{", b"]"))):
        return "json"
    header = data[:MOST_HEADER].removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    for delimiter in DELIMITERS:
        try:
            cells = next(csv.reader([header.decode().rstrip("\r")], delimiter=delimiter), [])
        except (csv.Error, UnicodeDecodeError):
            continue
        if len(cells) > 1 and is_header(cells):
            return "tsv" if delimiter == TAB else "csv"
    return "txt"


def _has_documented_names(row: dict[str, Any]) -> bool:
    return any(name in row for names in DOCUMENTED.values() for name in names)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
