"""The files that the commands of the page read: the examples, and what is made of them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

SYSTEMS = ("careful", "hasty")
TWO = 2  # references of an image, where each has a column or a file of its own
GERMAN = {
    "hund": ("ein Hund läuft am Strand", ["ein brauner Hund rennt am Strand entlang"]),
    "frau": ("eine Frau kauft Orangen", ["eine Frau sucht auf dem Markt Orangen aus"]),
    "zug": ("ein Zug fährt in einen Tunnel", ["ein roter Zug verschwindet in einem Tunnel"]),
}


def prepare(folder: Path, examples: Path) -> None:
    """Write all of them into a folder."""
    shutil.copytree(examples, folder, dirs_exist_ok=True)
    captions = {name: _rows(folder / f"{name}.jsonl", "candidate") for name in SYSTEMS}
    references = _rows(folder / "references.jsonl", "references")
    _ratings(folder, captions, references)
    _photos(folder, references)
    _tables(folder, captions, references)
    _lines(folder, captions["hasty"], references)
    _samples(folder, captions, references)
    rows = ({"id": key, "candidate": c, "references": r} for key, (c, r) in GERMAN.items())
    _write_rows(folder / "german.jsonl", rows)


def _ratings(
    folder: Path, captions: Mapping[str, Mapping[str, str]], references: Mapping[str, list[str]]
) -> None:
    """Made-up judgements, with a column of scores beside them."""
    rows = [
        {
            "candidate": captions[system][image],
            "references": texts,
            "image": image,
            "rating": rating + place % 2,
            "mine": rating + place % 3,
        }
        for place, (image, texts) in enumerate(references.items())
        for system, rating in zip(SYSTEMS, (4, 2), strict=True)
    ]
    _write_rows(folder / "ratings.jsonl", rows)


def _photos(folder: Path, images: Iterable[str]) -> None:
    """A grey square for each image."""
    (folder / "photos").mkdir(exist_ok=True)
    for place, image in enumerate(images):
        grey = bytes([8 * place] * 64 * 64 * 3)
        (folder / "photos" / f"{image}.ppm").write_bytes(b"P6 64 64 255\n" + grey)


def _tables(
    folder: Path, captions: Mapping[str, Mapping[str, str]], references: Mapping[str, list[str]]
) -> None:
    """One system in columns with names of others' making, and two systems side by side."""
    numbered = [f"ref{number}" for number in range(1, TWO + 1)]
    one = [
        [f"{image}.jpg", captions["hasty"][image], *texts[:TWO]]
        for image, texts in references.items()
    ]
    two = [
        [image, *(captions[system][image] for system in SYSTEMS), *texts[:TWO]]
        for image, texts in references.items()
    ]
    for name, header, rows in (
        ("wide.csv", ["file_name", "prediction", *numbered], one),
        ("two_systems.csv", ["id", "prediction", "hypothesis", *numbered], two),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([header, *rows])


def _lines(folder: Path, captions: Mapping[str, str], references: Mapping[str, list[str]]) -> None:
    """One caption a line, and as many files of references as an image has at least."""
    columns = {
        "said.txt": list(captions.values()),
        "first.txt": [references[image][0] for image in captions],
        "second.txt": [references[image][1] for image in captions],
    }
    for name, lines in columns.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _samples(
    folder: Path, captions: Mapping[str, Mapping[str, str]], references: Mapping[str, list[str]]
) -> None:
    """Two candidates an image."""
    rows = [
        {"id": image, "candidate": captions[system][image], "references": texts}
        for image, texts in references.items()
        for system in SYSTEMS
    ]
    _write_rows(folder / "samples.jsonl", rows)


def _write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def _rows(path: Path, column: str) -> dict[str, Any]:
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row[column] for row in rows}
