"""Rows of captions that streams are tried on, hostile ones among them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from captious.io.formats import write_columns

WORDS = "a the dog cat bench red two on in under runs sits tree street man woman bus".split()
ODD = ('a "cat", black', "multi\nline", '5" pipe', "ünï 😀", "", "tab\there", "cr\r\nlf", "a;b|c")


def captions_of(count: int, seed: int = 0) -> dict[str, list[Any]]:
    """Columns of rows: some images occur again, far from where they were before."""
    chance = random.Random(seed)

    def caption() -> str:
        if chance.random() < 0.1:
            return chance.choice(ODD)
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 12)))

    sets = {image: [caption() for _ in range(chance.randint(1, 5))] for image in range(count)}
    images = [chance.randrange(count) for _ in range(count)]
    return {
        "id": [f"image {image}" for image in images],
        "candidate": [caption() for _ in images],
        "references": [sets[image] for image in images],
        "source": [chance.choice(("web", "lab")) for _ in images],
        "number": list(range(count)),
    }


def write_rows(path: Path, columns: dict[str, list[Any]], order: list[int] | None = None) -> Path:
    """Rows as a file, in an order of their own."""
    rows = order or list(range(len(columns["id"])))
    write_columns(path, {name: [values[row] for row in rows] for name, values in columns.items()})
    return path
