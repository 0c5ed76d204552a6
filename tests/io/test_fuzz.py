"""Whatever a file holds, reading it ends in a corpus or in one clear line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from captious.comparison.score_files import read_scores
from captious.errors import CaptiousError
from captious.io.captions import read_corpus

# What is guessed of columns is a warning, and damage makes names that are guessed at.
pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
NAMES = st.sampled_from(["id", "image_id", "candidate", "caption", "references", "reference", "x"])
rows = st.lists(st.dictionaries(NAMES, values | st.lists(st.text(max_size=5)), max_size=5))
SEED_FILE = b'[{"id": 1, "candidate": "a dog", "references": ["a cat", "a dog"]}]'


def read_all(path: Path) -> None:
    for read in (read_corpus, read_scores):
        try:
            read(path)
        except CaptiousError as error:
            assert "\n" not in str(error)


@pytest.mark.slow
@SETTINGS
@given(rows)
def test_rows_of_anything(tmp_path: Path, content: list[dict[str, Any]]) -> None:
    (tmp_path / "f.json").write_text(json.dumps(content))
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, content)))
    read_all(tmp_path / "f.json")
    read_all(tmp_path / "f.jsonl")


@pytest.mark.slow
@SETTINGS
@given(st.binary(max_size=200), st.sampled_from(["json", "jsonl", "csv", "parquet", "json.gz"]))
@example(b"\xff\xfe[\x00]\x00", "json")
@example(b"\x00", "csv")
def test_bytes_of_any_kind(tmp_path: Path, content: bytes, kind: str) -> None:
    path = tmp_path / f"f.{kind}"
    path.write_bytes(content)
    read_all(path)


@pytest.mark.slow
@SETTINGS
@given(st.integers(0, len(SEED_FILE) - 1), st.integers(0, 255), st.integers(0, 40), st.booleans())
def test_a_sound_file_damaged(
    tmp_path: Path, place: int, byte: int, cut: int, packed: bool
) -> None:
    data = bytearray(SEED_FILE)
    data[place] = byte
    content = bytes(data[: len(data) - cut])
    path = tmp_path / ("f.json.gz" if packed else "f.json")
    path.write_bytes(gzip.compress(content)[: -1 - cut] if packed else content)
    read_all(path)


@pytest.mark.slow
@SETTINGS
@given(place=st.integers(0, 5000), byte=st.integers(0, 255))
def test_parquet_damaged(tmp_path: Path, place: int, byte: int) -> None:
    pytest.importorskip("pyarrow")
    from captious.io.formats import write_columns

    path = tmp_path / "f.parquet"
    write_columns(path, {"id": ["a", "b"], "candidate": ["x", "y"], "references": [["r"], ["s"]]})
    data = bytearray(path.read_bytes())
    data[place % len(data)] = byte
    path.write_bytes(bytes(data))
    read_all(path)
