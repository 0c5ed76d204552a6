"""Every shipped file is what its record says, and all of them are small enough."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import captious
from captious.errors import InputError
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.resources import ResourceFiles
from captious.text.vectors.word_vectors import WordVectors

RESOURCES = Path(captious.__file__).parent / "resources"
SHIPPED = [
    path
    for path in sorted(RESOURCES.rglob("*"))
    if path.is_file() and path.suffix not in (".py", ".pyc", ".md")
]


def test_every_file_has_a_row_with_its_hash() -> None:
    record = (RESOURCES / "PROVENANCE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(.+?)` \| .+ \| `([0-9a-f]{64})` \|$", record, re.MULTILINE))
    found = {
        path.relative_to(RESOURCES).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in SHIPPED
    }
    assert rows == found


def test_meteor_takes_no_more_than_25_megabytes() -> None:
    tables = (RESOURCES / "meteor").iterdir()
    assert sum(path.stat().st_size for path in tables) <= 25e6


def test_shipped_resources_precede_local_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = ResourceFiles(tmp_path / "shipped", "lists", "write one")
    shelf.folder.mkdir()
    for name in ("b.npz", "a.npz", "a.txt"):
        (shelf.folder / name).touch()
    assert shelf.names == ["a", "b"]
    monkeypatch.chdir(tmp_path)
    Path("a").touch()
    Path("own").touch()
    path, changed = shelf.find("a")
    assert path == shelf.folder / "a.npz" and changed == path.stat().st_mtime_ns
    assert shelf.find("own")[0] == shelf.find(Path("own"))[0] == Path("own")
    with pytest.raises(InputError, match="lists are a name or a file, not None"):
        shelf.find(cast(Any, None))
    for name in ("nowhere", "a" * 300, "null\0"):
        with pytest.raises(InputError, match=r"no lists .*; shipped: a, b; write one$"):
            shelf.find(name)


@pytest.mark.parametrize(
    ("load", "name", "line"),
    [
        (WordVectors.load, "glove", "glove: no word vectors of this name or file (No such file or "
         "directory); shipped: glove-6b-100d; make one with `captious vectors FILE --output "
         "OUT.npz`"),
        (WordVectors.load, 7, "word vectors are a name or a file, not 7"),
        (DocumentFrequencies.load, "coco", "coco: no document frequencies of this name or file "
         "(No such file or directory); shipped: coco-val2014; make your own with `captious df "
         "REFERENCES --output FILE`"),
        (DocumentFrequencies.load, 7, "document frequencies are a name or a file, not 7"),
    ],
)  # fmt: skip
def test_missing_resources_are_one_line_errors(
    load: Callable[..., Any],
    name: int | str,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        load(name)
    assert str(caught.value) == line
