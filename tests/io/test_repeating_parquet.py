"""Parquet files that repeat a long text: small on the disk, enormous once they are unpacked."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.io import parquet
from captious.io.formats import read_table
from captious.streaming.chunks import iter_chunks
from captious.streaming.sources import resolve_sources

arrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

ROWS = 1000
MAX_MEMORY_MB = 600  # takes 150; with every row's own copy, more than 1,000
MEASURED = """
import sys
from captious.cli.main import main
code = main(sys.argv[1:])
with open("/proc/self/status") as status:
    print(next(line for line in status if line.startswith("VmHWM")).split()[1], file=sys.stderr)
sys.exit(code)
"""


def write_repeating(path: Path, column: str) -> Path:
    columns: dict[str, Any] = {
        "id": [str(row) for row in range(ROWS)],
        "candidate": ["a dog runs"] * ROWS,
        "references": [["a dog runs on grass"]] * ROWS,
        "score": [1.0] * ROWS,
    }
    long = "x " * 500_000
    columns[column] = [[long]] * ROWS if column == "references" else [long] * ROWS
    arrow.parquet.write_table(
        arrow.table(columns), path, compression="zstd", dictionary_pagesize_limit=1 << 30
    )
    assert path.stat().st_size < 20_000
    return path


COMMANDS = {
    "score": ["score", "--metrics", "bleu_4"],
    "check": ["check"],
    "stream": ["score", "--stream", "--metrics", "bleu_4", "--jobs", "1", "--output", "out"],
    "filter": ["filter", "--where", "score > 0", "--jobs", "1", "--output", "out"],
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by means of Linux")
@pytest.mark.parametrize("column", ["junk", "candidate", "references"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.slow
def test_command_refuses_or_ignores_a_repeated_text(
    tmp_path: Path, command: str, column: str
) -> None:
    path = write_repeating(tmp_path / "captions.parquet", column)
    name, *options = COMMANDS[command]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, name, path, *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    *said, kilobytes = done.stderr.splitlines()
    assert int(kilobytes) < MAX_MEMORY_MB * 1000
    if column == "junk" and command in ("score", "check"):  # which do not read it
        assert done.returncode == 0
    else:
        assert done.returncode == 2
        assert "captions.parquet: enormous (1,0" in said[-1]
        assert "bytes unpacked; at most 268,435,456); make it smaller" in said[-1]


MANY = 10_000_000
NESTED = {
    "structs": lambda: arrow.StructArray.from_arrays(
        [arrow.array(np.zeros(MANY, np.int8))], names=["a"]
    ),
    "empty lists": lambda: arrow.ListArray.from_arrays(
        arrow.array(np.zeros(MANY + 1, np.int32)), arrow.array([], arrow.int8())
    ),
    "numbers": lambda: arrow.array(np.zeros(MANY)),
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by means of Linux")
@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("command", ["score", "stream", "filter"])
def test_command_refuses_a_row_of_many_values(tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / "captions.parquet"
    values = NESTED[kind]()
    references = arrow.ListArray.from_arrays(arrow.array([0, len(values)], arrow.int32()), values)
    columns = {"id": ["1"], "candidate": ["a dog"], "references": references, "score": [1.0]}
    arrow.parquet.write_table(arrow.table(columns), path, compression="zstd")
    assert path.stat().st_size < 50_000
    name, *options = COMMANDS[command]
    if name == "filter":
        options[1] = "bleu_4 > 0"  # which reads references
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, name, path, *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    *said, kilobytes = done.stderr.splitlines()
    assert int(kilobytes) < MAX_MEMORY_MB * 1000
    assert done.returncode == 2
    assert "captions.parquet: enormous" in said[-1]


def test_filter_writes_the_rows_that_fit(tmp_path: Path) -> None:
    path = write_repeating(tmp_path / "captions.parquet", "junk")
    (chunk,) = iter_chunks(resolve_sources([str(path)]))
    columns = chunk.table().columns
    assert isinstance(columns, parquet.ArrowColumns)
    taken = columns.take([3, 5])
    assert taken.schema == arrow.parquet.read_schema(path)
    assert taken.column("id").to_pylist() == ["3", "5"]
    assert len(taken.column("junk")[1].as_py()) == 1_000_000


def test_long_rows_make_smaller_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captious.streaming.chunks.MAX_CHUNK_BYTES", 10_000)
    path = tmp_path / "rows.parquet"
    texts = [f"{row:04}" * 250 for row in range(100)]
    arrow.parquet.write_table(arrow.table({"candidate": texts}), path)
    chunks = list(iter_chunks(resolve_sources([str(path)])))
    assert len(chunks) > 9
    assert [text for chunk in chunks for text in chunk.table().columns["candidate"]] == texts


TYPES = {
    "large": arrow.array(["a", None, "b", "b"], arrow.large_string()),
    "dictionary": arrow.array(["a", None, "b", "b"]).dictionary_encode(),
    "numbers in a dictionary": arrow.array([1, 2, 2, None]).dictionary_encode(),
    "bytes": arrow.array([b"a", b"", None, b"b"], arrow.large_binary()),
    "lists": arrow.array([[["a"], None, []], None, [], [["b", None]]]),
    "fixed lists": arrow.array([["a", "b"]] * 4, arrow.list_(arrow.string(), 2)),
    "large lists": arrow.array([["a"], [], None, ["b"]], arrow.large_list(arrow.large_string())),
    "objects": arrow.array([{"x": {"y": "t"}}, {"x": None}, None, {"x": {"y": None}}]),
    "maps": arrow.array([[("k", "v")], [], None, []], arrow.map_(arrow.string(), arrow.string())),
    "nothing": arrow.nulls(4),
}
if hasattr(arrow, "string_view"):
    TYPES["views"] = arrow.array(["a", None, "b", "b"], arrow.string_view())


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("group", [1, 3, 4])
@pytest.mark.parametrize("at_once", [1, parquet.MAX_BYTES_PER_PART])
def test_values_of_every_type_are_read_as_they_were_written(
    tmp_path: Path, kind: str, group: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "MAX_BYTES_PER_PART", at_once)
    table = arrow.table({"a.b": TYPES[kind], "id": list("abcd")})
    path = tmp_path / "rows.parquet"
    arrow.parquet.write_table(table, path, row_group_size=group)
    assert read_table(path).columns["a.b"] == TYPES[kind].to_pylist()
    found = [chunk.table() for chunk in iter_chunks(resolve_sources([str(path)]), 2)]
    assert [value for each in found for value in each.columns["a.b"]] == TYPES[kind].to_pylist()


def test_file_without_row_groups_has_its_columns() -> None:
    stream = io.BytesIO()
    with arrow.parquet.ParquetWriter(stream, arrow.schema([("id", arrow.string())])):
        pass
    table = parquet.parse_parquet(stream.getvalue(), "none.parquet")
    assert table.columns["id"] == [] and len(table) == 0


@pytest.mark.skipif(not hasattr(arrow, "string_view"), reason="a pyarrow without views")
def test_lists_of_views_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    views = arrow.array([["a", "b"], [], ["c"]], arrow.list_(arrow.string_view()))
    arrow.parquet.write_table(arrow.table({"references": views}), path)
    assert read_table(path).columns["references"] == [["a", "b"], [], ["c"]]
