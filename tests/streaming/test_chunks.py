"""Files read a chunk at a time have the rows that they have when they are read whole."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from captious.errors import InputError
from captious.io.formats import read_table
from captious.streaming import chunks as chunks_module
from captious.streaming.chunks import Chunk, iter_chunks
from captious.streaming.sources import resolve_sources
from tests.streaming.rows import captions_of, write_rows

ENDINGS = ["jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz", "tsv.gz"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_chunks_have_the_rows_of_the_whole(tmp_path: Path, ending: str, rows: int) -> None:
    if "parquet" in ending:
        pytest.importorskip("pyarrow")
    path = write_rows(tmp_path / f"rows.{ending}", captions_of(100))
    whole = read_table(path)
    found = list(iter_chunks(resolve_sources([str(path)]), rows))
    assert [chunk.number for chunk in found] == list(range(-(-100 // rows)))
    tables = [chunk.table() for chunk in found]
    assert [number for table in tables for number in table.numbers] == list(whole.numbers)
    for name in whole.columns:
        assert [value for table in tables for value in table.columns[name]] == whole.columns[name]
    backwards = [chunk.table().columns["id"] for chunk in reversed(found)]
    assert backwards == [table.columns["id"] for table in reversed(tables)]


def test_chunk_digest_depends_on_content(tmp_path: Path) -> None:
    columns = captions_of(60)
    path = write_rows(tmp_path / "rows.csv", columns)
    before = [chunk.digest for chunk in iter_chunks(resolve_sources([str(path)]), 20)]
    columns["candidate"][25] += " changed"
    write_rows(path, columns)
    after = [chunk.digest for chunk in iter_chunks(resolve_sources([str(path)]), 20)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True]


def test_row_groups_are_split_with_distinct_digests(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"id": list(range(100)), "candidate": [f"dog {n}" for n in range(100)]})
    path = tmp_path / "rows.parquet"
    parquet.write_table(table, path, row_group_size=30)
    found = list(iter_chunks(resolve_sources([str(path)]), 20))
    assert [(chunk.group, chunk.start, chunk.end, chunk.first) for chunk in found][:3] == [
        (0, 0, 20, 1),
        (0, 20, 30, 21),
        (1, 0, 20, 31),
    ]
    texts = [text for chunk in found for text in chunk.table().columns["candidate"]]
    assert texts == table.column("candidate").to_pylist()
    changed = table.set_column(0, "id", arrow.array([*range(99), 1000]))
    parquet.write_table(changed, path, row_group_size=30)
    digests = [chunk.digest for chunk in iter_chunks(resolve_sources([str(path)]), 20)]
    same = [chunk.digest == digest for chunk, digest in zip(found, digests, strict=True)]
    assert same == [True] * (len(found) - 1) + [False]


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> list[Chunk]:
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdin", stream)
    return list(iter_chunks(resolve_sources(["-"], "jsonl"), 3))


def test_standard_input_packed_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(10))
    for data in (path.read_bytes(), gzip.compress(path.read_bytes())):
        found = piped(monkeypatch, data)
        assert [len(chunk.table()) for chunk in found] == [3, 3, 3, 1]
        assert found[1].place == "standard input: from line 4 on"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rows.jsonl", '{"a": 1}\n' * 5 + "{broken\n", "line 6, column 2: malformed JSON"),
        ("rows.jsonl", '{"a": 1}\n' * 5 + '"\udcff"\n', "line 6: not UTF-8"),
        ("rows.csv", "a,b\n" + "1,2\n" * 5 + "1,2,3\n", "line 7: 3 cells under a header of 2"),
        ("rows.csv", "a,b\n" + "1,2\n" * 5 + '1,"open\n', "line 7: malformed CSV"),
        ("rows.tsv", "a\tb\n" + "1\t2\n" * 5 + "1\t2\t3\n", "line 7: 3 cells under a header of 2"),
    ],
)
def test_parse_errors_name_their_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=said):
        [chunk.table() for chunk in iter_chunks(resolve_sources([str(path)]), 2)]


def test_a_row_that_fills_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks_module, "MAX_CHUNK_BYTES", 1000)
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n' * 300)
    sizes = [chunk.end - chunk.start for chunk in iter_chunks(resolve_sources([str(path)]), 10_000)]
    assert max(sizes) <= 1000 and sum(sizes) == 2700  # smaller chunks, and nothing lost
    path.write_text('{"a": 1}\n{"a": "' + "x" * 2000 + '"}\n')
    with pytest.raises(InputError, match="line 2: a row of more than"):
        list(iter_chunks(resolve_sources([str(path)]), 10))


def test_files_folders_and_patterns_are_resolved(tmp_path: Path) -> None:
    rows = captions_of(3)
    for name in ("b.jsonl", "a.csv", "c.jsonl.gz"):
        write_rows(tmp_path / name, rows)
    (tmp_path / "notes.md").write_text("no captions")
    folder = [Path(source.path).name for source in resolve_sources([str(tmp_path)])]
    assert folder == ["a.csv", "b.jsonl", "c.jsonl.gz"]
    pattern = [Path(source.path).name for source in resolve_sources([str(tmp_path / "*.jsonl*")])]
    assert pattern == ["b.jsonl", "c.jsonl.gz"]
    numbers = [chunk.number for chunk in iter_chunks(resolve_sources([str(tmp_path)]), 2)]
    assert numbers == list(range(6))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["-"], "name its format"),
        (["rows.json"], "cannot be read a chunk at a time"),
        (["none/*.jsonl"], "no files named"),
        (["rows.parquet.gz"], "not packed"),
        (["rows.jsonl", "rows.jsonl"], "named twice"),
    ],
)
def test_files_that_cannot_be_streamed_are_errors(names: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        resolve_sources(names)
