"""Judgements in files: made-up ones of the user's own, and a benchmark's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.made_up.judged_captions import RATINGS, REFERENCES, rated


@pytest.fixture
def ratings_file(tmp_path: Path) -> Path:
    """The ratings of `rated`, one row a caption."""
    ratings = rated()
    path = tmp_path / "ratings.jsonl"
    columns = zip(ratings.candidates, ratings.references, ratings.images, RATINGS, strict=True)
    rows = [
        {"candidate": candidate, "references": references, "image": image, "rating": rating}
        for candidate, references, image, rating in columns
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def flickr8k(tmp_path: Path) -> Path:
    """A folder with one benchmark's files, and those of no other."""
    lines = [f"{name}.jpg#{i}\t{text}" for name, own in REFERENCES.items() for i, text in
             enumerate([*own, own[0] + " today", own[1] + " now"])]  # fmt: skip
    (tmp_path / "Flickr8k.token.txt").write_text("\n".join(lines) + "\n")
    said = ["beach.jpg\tbeach.jpg#0\t4\t4\t4", "beach.jpg\tcats.jpg#0\t1\t2\t1",
            "horse.jpg\tcats.jpg#1\t2\t2\t2", "bus.jpg\tboat.jpg#2\t1\t1\t1",
            "kite.jpg\tbeach.jpg#2\t1\t2\t3", "boat.jpg\tbeach.jpg#1\t3\t1\t2"]  # fmt: skip
    (tmp_path / "ExpertAnnotations.txt").write_text("\n".join(said) + "\n")
    return tmp_path
