"""Damage to a file by its name: what its format has, or bytes alone."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz import arrays, documents, odd_values
from tests.fuzz.damage import damage_bytes, pack_as_gzip

RAW = 0.3  # of all damage knows nothing of the format


def damage_file(name: str, content: bytes, random: Random) -> bytes:
    """Contents for a file of this name, of which these are sound."""
    if name.endswith(".gz"):
        inside = gzip.decompress(content)
        if random.random() < 0.6:
            inside = damage_file(name.removesuffix(".gz"), inside, random)
        return pack_as_gzip(inside, random)
    if random.random() < RAW:
        return damage_bytes(content, random)
    for ending, change in BY_ENDING.items():
        if name.endswith(ending):
            return change(content, random)
    return documents.change_lines(content, random)


def _json(content: bytes, random: Random) -> bytes:
    return documents.write_json(documents.change_document(json.loads(content), random), random)


def _json_lines(content: bytes, random: Random) -> bytes:
    rows = [json.loads(line) for line in content.splitlines()]
    return documents.write_json_lines(documents.change_document(rows, random), random)


def _commas(content: bytes, random: Random) -> bytes:
    return documents.change_cells(content, ",", random)


def _tabs(content: bytes, random: Random) -> bytes:
    return documents.change_cells(content, "\t", random)


def _parquet(content: bytes, random: Random) -> bytes:
    """Columns of other types and values, as other programs write them."""
    import pyarrow
    import pyarrow.parquet

    columns = pyarrow.parquet.read_table(io.BytesIO(content)).to_pydict()
    changed = documents.change_document(columns, random)
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
        return damage_bytes(content, random)  # a table that Parquet itself cannot hold
    return stream.getvalue()


def _toml(content: bytes, random: Random) -> bytes:
    """Values after `=` become others that TOML knows, names others, and lines come or go."""
    lines = content.decode().split("\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(lines))
        name, equals, written = lines[place].partition("=")
        what = random.randrange(5)
        if what == 0:
            lines.insert(random.randint(0, len(lines)), lines[place])
        elif what == 1:
            del lines[place]
            lines = lines or [""]
        elif what == 2 and equals:
            lines[place] = f"{random.choice(('name', 'pool', 'column', 'seed', 'x'))} = {written}"
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
    ".npz": arrays.change_npz,
    ".npy": arrays.change_npy,
    ".parquet": _parquet,
    ".toml": _toml,
    ".bin": damage_bytes,
    ".sqlite3": damage_bytes,
    ".mat": damage_bytes,
    ".png": damage_bytes,
    ".jpg": damage_bytes,
    ".gif": damage_bytes,
    ".webp": damage_bytes,
    ".tiff": damage_bytes,
    ".bmp": damage_bytes,
}
