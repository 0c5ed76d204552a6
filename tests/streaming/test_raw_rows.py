"""Rows are written as they stood, with scores added at their end."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from captious.errors import InputError
from captious.io.json import json_text
from captious.streaming.chunks import iter_chunks
from captious.streaming.filtering.chunk_filter import FilteredChunk
from captious.streaming.filtering.filter_stream import FilteredChunkFile, save_filtered_chunk
from captious.streaming.filtering.filtered_parts import open_row_writer, read_rows
from captious.streaming.filtering.selection import RemainingRows
from captious.streaming.raw_rows import AddedColumns, add_columns
from captious.streaming.sources import resolve_sources


def rewritten(
    paths: Path | list[Path], drop: int | None = None, added: dict[str, float] | None = None
) -> bytes:
    """All rows again, a chunk at a time, perhaps without one in each, with columns added.

    On their way they are put into files, as they are where it is chosen from all of them.
    """
    named = [str(path) for path in (paths if isinstance(paths, list) else [paths])]
    stream = io.BytesIO()
    with TemporaryDirectory() as folder, open_row_writer(stream) as whole:
        part = Path(folder) / f"part.{resolve_sources(named)[0].format}"
        for chunk in iter_chunks(resolve_sources(named), 2):
            table = chunk.table()
            kept = [row for row in range(len(table)) if row != drop]
            new: AddedColumns = {name: [value] * len(kept) for name, value in (added or {}).items()}
            save_filtered_chunk(
                Path(folder) / "s.npz", NOTHING, add_columns(chunk, table, kept, new)
            )
            piece = FilteredChunkFile(Path(folder) / "s.npz").piece()
            assert len(piece) == len(kept)
            with part.open("wb") as alone, open_row_writer(alone) as file:
                file.write(piece)
            whole.write(read_rows(part, len(piece.head)))
    return stream.getvalue()


NOTHING = FilteredChunk(0, (), 0, RemainingRows.none())
LINES = b"""\xef\xbb\xbf{"id" : 1,"caption":"a \\u00e9\\n","n":1.50,"n2":12345678901234567890}
\r
   {"caption":"b","id":2, "x":{"y":[ ]}, "x":1e5}\t\r
{"id":3,"caption":"\xe2\x80\xa8 line"}
{}"""


def test_lines_of_json_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    plain = [line.strip() for line in LINES.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    assert rewritten(path).split(b"\n") == [*filter(None, plain), b""]
    longer = rewritten(path, None, {"score": 0.1}).decode().split("\n")
    assert longer[0].startswith(
        '{"id" : 1,"caption":"a \\u00e9\\n","n":1.50,"n2":12345678901234567'
    )
    assert [json.loads(line)["score"] for line in longer if line] == [0.1] * 4
    assert longer[3] == '{"score": 0.1}'
    assert rewritten(path, 0, {"score": 0.5}).count(b"\n") == 1  # blank lines count


@pytest.mark.parametrize("value", [0.1, 1e300, 5e-324, -0.0, 3, True, float("nan"), float("inf")])
def test_numbers_are_added_as_json_has_them(tmp_path: Path, value: float) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": 1}\n{}\n')
    first, second, _ = rewritten(path, None, {"{} \\é": value, "other": 0.5}).decode().split("\n")
    added = json_text({"{} \\é": value, "other": 0.5})
    assert second == added
    assert first == '{"id": 1, ' + added[1:]


CELLS = (
    'id,caption,"odd ""name"""\r\n1,"two\r\nlines, and ""quotes""",=1+2\r\n\r\n'
    "2,-5 degrees,'=x\r\n3,,"
)


@pytest.mark.parametrize("delimiter", [",", ";", "|"])
def test_cells_stay_as_they_are(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "a.csv"
    text = CELLS.replace(",", delimiter)
    path.write_bytes(text.encode())
    before = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    assert rewritten(path).decode() == text.replace("\r\n\r\n", "\r\n") + "\r\n"
    again = rewritten(path, None, {"score": 0.25, "a,b": float("nan")}).decode()
    after = list(csv.reader(io.StringIO(again, newline=""), delimiter=delimiter))
    assert after[0] == [*before[0], "score", "a,b"]
    assert after[1:] == [[*row, "0.25", ""] for row in before[1:]]


def test_tabs_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv.gz"
    text = 'id\tcaption\n1\t"bare quote\n2\t5" pipe\n3\t\n'
    path.write_bytes(gzip.compress(text.encode()))
    assert rewritten(path).decode() == text
    assert rewritten(path, None, {"s": 1.0}).decode().split("\n")[2] == '2\t5" pipe\t1.0'


def test_one_header_for_several_files(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.csv" for name in "ab"]
    paths[0].write_bytes(b"id,x\n1,2\n")
    paths[1].write_bytes(b'"id",x\r\n3,4')
    assert rewritten(paths) == b"id,x\n1,2\n3,4\r\n"


def test_parquet_keeps_types_and_metadata(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    columns: dict[str, Any] = {
        "id": arrow.array([1, 2, 3, 4, 5], arrow.uint16()),
        "caption": arrow.array(["a", "b", None, "d", "e"]).dictionary_encode(),
        "tags": arrow.array([["x"], [], None, ["y", "z"], []], arrow.list_(arrow.large_string())),
        "when": arrow.array([1, 2, None, 4, 5], arrow.timestamp("ms", "UTC")),
        "box": arrow.array([{"x": 1.5}] * 5, arrow.struct([("x", arrow.float32())])),
    }
    table = arrow.table(columns).replace_schema_metadata({"made by": "us"})
    for name in ("a", "b"):
        arrow.parquet.write_table(table, tmp_path / f"{name}.parquet", row_group_size=3)
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    again = arrow.parquet.read_table(io.BytesIO(rewritten(paths)))
    assert again.equals(arrow.concat_tables([table, table]))
    before = arrow.parquet.read_table(paths[0]).schema
    assert again.schema.equals(before, check_metadata=True)
    longer = arrow.parquet.read_table(io.BytesIO(rewritten(paths[0], 0, {"score": 0.5})))
    assert longer.drop_columns(["score"]).equals(table.take([1, 4]))
    assert longer.schema.field("score").type == arrow.float64()
    assert longer.schema.metadata[b"made by"] == b"us"


def test_no_rows_make_a_valid_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,x\n1,2\n")
    assert rewritten(path, 0, {"s": 1.0}) == b"id,x,s\n"
    arrow = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    arrow.write_table(pyarrow.table({"id": [1]}), tmp_path / "a.parquet")
    empty = arrow.read_table(io.BytesIO(rewritten(tmp_path / "a.parquet", 0, {"s": 1.0})))
    assert empty.num_rows == 0
    assert empty.column_names == ["id", "s"]


def test_lines_that_end_in_carriage_returns_alone_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,x\r1,2\r3,4\r")
    with pytest.raises(InputError, match="end every line with a line feed"):
        rewritten(path)
