"""A folder of METEOR's tables in which a number, a type or a file is not what it should be.

The tables are large: an input says which edits to make, and the other files are links.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from captious.text.meteor.tables import SHIPPED
from tests.fuzz import arrays, documents, odd_values
from tests.fuzz.console import judge
from tests.fuzz.damage import damage_bytes
from tests.fuzz.kind import Case, Kind, shorter_lists
from tests.fuzz.kinds.captions_in_files import ROWS, format_rows

TYPES = ("int8", "uint8", "int16", "int64", "uint32", ">i4", "float32", "bool", "U3")
SMALL = ("about.json", "function_words.txt")


class MeteorTables(Kind):
    """Edits of the tables, and a caption scored with what they make of them."""

    name = "meteor-tables"
    share = 0.3

    def make(self, random: Random) -> Case:
        """One to three edits."""
        edits = [self._edit(random) for _ in range(random.choice((1, 1, 2, 3)))]
        return {"edits": edits}

    def _edit(self, random: Random) -> dict[str, Any]:
        name = random.choice(sorted(path.name for path in SHIPPED.iterdir()))
        if name == "about.json" and random.random() < 0.8:
            about = documents.change_document(json.loads((SHIPPED / name).read_text()), random)
            return {"file": name, "bytes": documents.write_json(about, random)}
        if name in SMALL:
            return {"file": name, "bytes": damage_bytes((SHIPPED / name).read_bytes(), random)}
        what = random.randrange(8)
        if what == 0:
            return {"file": name, "missing": True}
        if what == 1:
            return {"file": name, "cut": random.random()}
        if not name.endswith(".npy") or what == 2:
            places = [random.random() for _ in range(random.choice((1, 10, 300)))]
            return {"file": name, "flipped": places}
        if what == 3:
            return {"file": name, "type": random.choice(TYPES)}
        # Numbers all over the table, since a caption looks at few of them.
        step = random.choice((1, 1, 2, 7, 100))
        return {"file": name, "step": step, "number": odd_values.number(random), "add": what == 4}

    def run(self, case: Case, folder: Path) -> str:
        """Lay the tables out, and score with them."""
        tables = folder / "tables"
        tables.mkdir()
        edits = {edit["file"]: edit for edit in case["edits"]}
        for path in SHIPPED.iterdir():
            edit = edits.get(path.name)
            if edit is None:
                (tables / path.name).symlink_to(path)
            elif "missing" not in edit:
                (tables / path.name).write_bytes(_edit_file(path, edit))
        (folder / "rows.json").write_bytes(format_rows(ROWS, ".json"))
        line = "--metrics meteor --no-cache --format json --meteor-tables"
        return judge(["score", str(folder / "rows.json"), *line.split(), str(tables)], folder)

    def smaller(self, case: Case) -> Iterable[Case]:
        """With fewer edits."""
        for edits in shorter_lists(case["edits"]):
            if edits:
                yield {"edits": edits}


def _edit_file(path: Path, edit: dict[str, Any]) -> bytes:
    content = _content(path)
    if "bytes" in edit:
        given: bytes = edit["bytes"]
        return given
    if "cut" in edit:
        return content[: int(len(content) * edit["cut"])]
    if "flipped" in edit:
        changed = bytearray(content)
        for place in edit["flipped"]:
            changed[int(place * len(changed))] ^= 1 << int(place * 1e6) % 8
        return bytes(changed)
    array = np.load(path, allow_pickle=False)
    with np.errstate(all="ignore"):
        if "type" in edit:
            return arrays.npy_bytes(array.astype(edit["type"]))
        number = edit["number"]
        limits = np.iinfo(array.dtype)
        whole = int(number) if abs(number) < 2**70 else 2**70
        whole = min(max(whole, int(limits.min)), int(limits.max))
        array[:: edit["step"]] = (
            array[:: edit["step"]] + array.dtype.type(whole) * edit["add"]
            if (edit["add"])
            else whole
        )
    return arrays.npy_bytes(array)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


KINDS: list[Kind] = [MeteorTables()]
