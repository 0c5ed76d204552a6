"""Objects of images and vocabularies of objects, as CHAIR reads them."""

from __future__ import annotations

import json

from captious.metrics.chair import Chair
from captious.metrics.image_objects import read_objects
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kind import Kind

CANDIDATES = [{"image_id": image, "caption": "a man and a hot dog"} for image in (1, 2, 3)]
REFERENCES = {"annotations": [{"image_id": image, "caption": "a boy"} for image in (1, 2, 3)]}
ROWS = [{"id": image, "objects": ["person", "hot dog"]} for image in (1, 2, 3)]
INSTANCES = {
    "images": [{"id": image} for image in (1, 2, 3)],
    "categories": [{"id": 1, "name": "person"}, {"id": 58, "name": "hot dog"}],
    "annotations": [{"image_id": image, "category_id": 58} for image in (1, 2)],
}
VOCABULARY = "# mine\nperson, man, boy\norange: oranges\nhot dog, hotdog\n-: dog house\n"


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _files() -> Files:
    lines = "\n".join(json.dumps(row) for row in ROWS).encode()
    return {
        "rows.jsonl": lines,
        "by_id.json": _json({str(row["id"]): row["objects"] for row in ROWS}),
        "instances.json": _json(INSTANCES),
        "mine.txt": VOCABULARY.encode(),
        "c.json": _json(CANDIDATES),
        "r.json": _json(REFERENCES),
    }


def _reader(name: str) -> Reader:
    return Reader(lambda folder: read_objects(folder / name))


KINDS: list[Kind] = [
    FileKind(
        "objects",
        1.0,
        _files,
        [
            *map(_reader, ("rows.jsonl", "by_id.json", "instances.json")),
            Reader(lambda folder: Chair(folder / "by_id.json")),
            Reader(lambda folder: Chair(folder / "rows.jsonl", folder / "mine.txt", "file")),
            Reader(lambda folder: Chair(vocabulary=folder / "mine.txt")),
            Command("score @c.json --references @r.json --metrics chair --no-cache"),
        ],
        spared=("c.json", "r.json"),
    ),
]
