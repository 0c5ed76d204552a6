"""Damage to documents whose structure is known: at every place another value, name or nesting."""

from __future__ import annotations

import copy
import csv
import io
import json
from random import Random
from typing import Any

from tests.fuzz import odd_values

NAMES = (
    "id", "image_id", "image", "candidate", "caption", "candidates", "references", "reference",
    "annotations", "rating", "preferred", "group", "signature", "cider_d", "bleu_4",
    "probabilities", "is_first", "dataset", "captions", "images", "label", "team", "results",
)  # fmt: skip


def change_document(document: Any, random: Random) -> Any:
    """The same document with one to a few things wrong in it."""
    document = copy.deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        document = _change_once(document, random)
    return document


def _change_once(document: Any, random: Random) -> Any:
    holders: list[tuple[Any, Any]] = [(None, None)]  # the document itself, then all that is in it
    _collect(document, holders)
    holder, key = random.choice(holders)
    if holder is None:
        return _draw_replacement(document, random)
    what = random.randrange(6)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, dict):
        name = random.choice((*NAMES, odd_values.text(random)))
        holder[name] = holder.pop(key)
    elif what == 2 and isinstance(holder, list):
        holder.insert(random.randint(0, len(holder)), copy.deepcopy(holder[key]))
    elif what == 3:
        holder[key] = random.choice(
            ([holder[key]], {str(key): holder[key]}, [holder[key], holder[key]])
        )
    else:
        holder[key] = _draw_replacement(holder[key], random)
    return document


def _collect(value: Any, found: list[tuple[Any, Any]]) -> None:
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    else:
        return
    for key, each in inside:
        found.append((value, key))
        _collect(each, found)


def _draw_replacement(value: Any, random: Random) -> Any:
    """Draw another value, mostly of the same type, where checks tend to be weak."""
    if random.random() < 0.4:
        return odd_values.value(random)
    if isinstance(value, str):
        return odd_values.text(random)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return odd_values.number(random)
    if isinstance(value, list):
        return value[::-1] if random.random() < 0.3 else value * random.randint(0, 3)
    return odd_values.value(random)


def write_json(document: Any, random: Random) -> bytes:
    """A document as JSON, now and then with a name twice or written in another style."""
    ascii_only = random.random() < 0.7
    text = json.dumps(document, ensure_ascii=ascii_only)
    if random.random() < 0.05:
        text = text.replace("}", f', "{random.choice(NAMES)}": 1}}', 1)
    if random.random() < 0.03:
        text = "[" * random.choice((1, 900, 100_000)) + text
    return text.encode("utf-8", "surrogatepass")


def write_json_lines(rows: Any, random: Random) -> bytes:
    """A row a line, now and then with lines that are none."""
    listed = rows if isinstance(rows, list) else [rows]
    lines = [write_json(row, random) for row in listed]
    if random.random() < 0.2:
        lines.insert(
            random.randint(0, len(lines)), random.choice((b"", b" ", b"{", b"null", b"\xff"))
        )
    return random.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")).join(lines)


def change_cells(content: bytes, separator: str, random: Random) -> bytes:
    """A table of cells with other cells, rows or columns in it."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8")), delimiter=separator))
    table = change_document(rows, random)
    if not isinstance(table, list):
        table = [table]
    stream = io.StringIO()
    quoting: Any = random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(stream, delimiter=separator, quoting=quoting, escapechar="\\")
    for row in table:
        writer.writerow(row if isinstance(row, list) else [row])
    return stream.getvalue().encode("utf-8", "surrogatepass")


def change_lines(content: bytes, random: Random) -> bytes:
    """Text by lines and fields between tabs or blanks, each of which may become another."""
    text = content.decode("utf-8", "replace")
    separator = "\t" if "\t" in text else " "
    rows = [line.split(separator) for line in text.split("\n")]
    table = change_document(rows, random)
    if not isinstance(table, list):
        table = [table]
    joined = [separator.join(map(str, row)) if isinstance(row, list) else str(row) for row in table]
    return "\n".join(joined).encode("utf-8", "surrogatepass")
