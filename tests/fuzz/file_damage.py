"""Damage to a file by its name: what its format has, or bytes alone."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz import arrays, documents, odd_values
from tests.fuzz.damage import damaged, packed

RAW = 0.3  # of all damage knows nothing of the format


def file_damaged(name: str, content: bytes, random: Random) -> bytes:
    """Contents for a file of this name, of which these are sound."""
    if name.endswith(".gz"):
        inside = gzip.decompress(content)
        if random.random() < 0.6:
            inside = file_damaged(name.removesuffix(".gz"), inside, random)
        return packed(inside, random)
    if random.random() < RAW:
        return damaged(content, random)
    for ending, change in BY_ENDING.items():
        if name.endswith(ending):
            return change(content, random)
    return documents.lines_changed(content, random)


def _json(content: bytes, random: Random) -> bytes:
    return documents.as_json(documents.changed(json.loads(content), random), random)


def _json_lines(content: bytes, random: Random) -> bytes:
    rows = [json.loads(line) for line in content.splitlines()]
    return documents.as_json_lines(documents.changed(rows, random), random)


def _commas(content: bytes, random: Random) -> bytes:
    return documents.cells_changed(content, ",", random)


def _tabs(content: bytes, random: Random) -> bytes:
    return documents.cells_changed(content, "\t", random)


def _parquet(content: bytes, random: Random) -> bytes:
    """Columns of other types and values, as other programs write them."""
    import pyarrow
    import pyarrow.parquet

    columns = pyarrow.parquet.read_table(io.BytesIO(content)).to_pydict()
    changed = documents.changed(columns, random)
    if not isinstance(changed, dict):
        changed = {"x": [changed]}
    sound: dict[str, Any] = {}
    for name, values in changed.items():
        listed = values if isinstance(values, list) else [values]
        try:
            sound[str(name)] = pyarrow.array(listed)
        except (pyarrow.ArrowException, OverflowError, UnicodeError, ValueError, TypeError):
            sound[str(name)] = pyarrow.array([None] * len(listed))
    length = max(map(len, sound.values()), default=0)
    # Columns of one length are part of the format: shorter ones are filled up.
    filled = [
        pyarrow.concat_arrays([each, pyarrow.nulls(length - len(each), each.type)])
        for each in sound.values()
    ]
    stream = io.BytesIO()
    try:
        names = [name.encode("utf-8", "replace").decode() for name in sound]
        pyarrow.parquet.write_table(pyarrow.table(filled, names=names), stream)
    except (pyarrow.ArrowException, ValueError):
        return damaged(content, random)  # a table that Parquet itself cannot hold
    return stream.getvalue()


def _toml(content: bytes, random: Random) -> bytes:
    """Values after `=` become others that TOML knows, names others, and lines come or go."""
    lines = content.decode().split("\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(lines))
        name, equals, said = lines[place].partition("=")
        what = random.randrange(5)
        if what == 0:
            lines.insert(random.randint(0, len(lines)), lines[place])
        elif what == 1:
            del lines[place]
            lines = lines or [""]
        elif what == 2 and equals:
            lines[place] = f"{random.choice(('name', 'pool', 'column', 'seed', 'x'))} = {said}"
        else:
            value = random.choice((*TOML_VALUES, json.dumps(odd_values.text(random))))
            lines[place] = f"{name}= {value}" if equals else f"x = {value}"
    return "\n".join(lines).encode("utf-8", "surrogatepass")


TOML_VALUES = (
    "0", "-1", "1", "1e400", "nan", "inf", "-inf", "9223372036854775808", "true", "[]", "[1, 2]",
    "[[]]", "{}", "{ df = 1 }", '{ df = "coco-val2014" }', '""', '"\\u0000"', '"max"', '"mean"',
    '"fixed"', '"cider_d"', "1979-05-27", "07:32:00", "0x10", "1_0", "[0]", "[-1]", "[1, 2, 3, 4]",
    '["a"]', "1.5",
)  # fmt: skip

BY_ENDING: dict[str, Callable[[bytes, Random], bytes]] = {
    ".json": _json,
    ".jsonl": _json_lines,
    ".csv": _commas,
    ".tsv": _tabs,
    ".npz": arrays.npz_changed,
    ".npy": arrays.npy_changed,
    ".parquet": _parquet,
    ".toml": _toml,
    ".bin": damaged,
    ".sqlite3": damaged,
    ".mat": damaged,
    ".png": damaged,
    ".jpg": damaged,
    ".gif": damaged,
    ".webp": damaged,
    ".tiff": damaged,
    ".bmp": damaged,
}
