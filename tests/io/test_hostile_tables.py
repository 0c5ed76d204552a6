"""Malformed tables: each is read, or ends in one short line."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from captious.comparison.score_files import read_scores
from captious.errors import InputError
from captious.io.captions import read_candidates, read_corpus, read_references
from captious.io.formats import read_table

ROW = {"id": "1", "candidate": "a dog", "references": ["a dog runs"]}
READERS = (read_candidates, read_references, read_corpus, read_scores)


def write_table(tmp_path: Path, text: bytes | str, kind: str = "json") -> Path:
    path = tmp_path / f"f.{kind}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


def check_one_line(path: Path, *readers: Any) -> None:
    for read in readers or READERS:
        try:
            read(path)
        except InputError as error:
            assert len(str(error)) < 1500 and "\n" not in str(error)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_rows_that_each_have_another_key_take_no_square_of_memory(
    tmp_path: Path, kind: str
) -> None:
    rows = [{"id": str(number), f"key {number}": 1} for number in range(5000)]
    text = json.dumps(rows) if kind == "json" else "\n".join(map(json.dumps, rows))
    path = write_table(tmp_path, text, kind)
    tracemalloc.start()
    for read in READERS:
        with pytest.raises(InputError) as error:
            read(path)
        assert len(str(error.value)) < 1500
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50_000_000  # 5,000 columns of 5,000 cells would be 200 MB


@pytest.mark.slow
def test_an_error_lists_the_first_columns_and_counts_the_rest(tmp_path: Path) -> None:
    path = write_table(tmp_path, json.dumps([{f"key {number}": 1 for number in range(100_000)}]))
    with pytest.raises(
        InputError, match=r"'key 0', .*'key 19' and 99,980 more; rename one, or say which"
    ):
        read_corpus(path)


def test_a_column_is_made_once_and_an_id_is_read_without_changing_it(tmp_path: Path) -> None:
    table = read_table(write_table(tmp_path, json.dumps([{"id": 1.0}, {"x": 2}])))
    assert table.columns["id"] is table.columns["id"]
    assert list(table.columns) == ["id", "x"] and len(table.columns) == 2
    assert "y" not in table.columns and table.columns.get("y") is None
    path = write_table(tmp_path, json.dumps([ROW | {"id": 1.0}]))
    assert read_corpus(path).references.ids == [1]


DEEP = "[" * 100_000 + "]" * 100_000
NESTED = "[" * 900 + "]" * 900  # what a parser still takes, and what writes it out does not
VALUES = {
    "deep": DEEP,
    "nested": NESTED,
    "nested objects": '{"a":' * 900 + "1" + "}" * 900,
    "digits": "9" * 4301,
    "allowed digits": "9" * 4300,
    "exponent": "1e400",
    "nan": "NaN",
    "infinite": "-Infinity",
    "yes": "true",
    "nothing": "null",
    "surrogate": '"\\ud800"',
    "null character": '"\\u0000"',
    "long": '"' + "x" * 100_000 + '"',
    "list": "[" + "1," * 100_000 + "1]",
}


@pytest.mark.parametrize("name", ["id", "candidate", "references", "image", "bleu_1", "signature"])
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_values_of_every_kind_in_every_column(
    tmp_path: Path, name: str, value: str, kind: str
) -> None:
    row = {**ROW, name: "PLACE"}
    text = json.dumps(row).replace('"PLACE"', VALUES[value])
    check_one_line(write_table(tmp_path, f"[{text}]" if kind == "json" else text, kind))


@pytest.mark.parametrize("value", [DEEP, NESTED, "[" + "9" * 5000 + "]", "[1", "[]x"])
def test_cells_of_csv_that_hold_json(tmp_path: Path, value: str) -> None:
    path = write_table(tmp_path, f'id,candidate,references\n1,a,"{value}"\n', "csv")
    with pytest.raises(InputError, match=r"line 2: id '1': .references. must be"):
        read_corpus(path)


@pytest.mark.slow
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("shape", ["{}", '{{"annotations": {}}}', '{{"a": {}}}', "[1, {}]"])
def test_documents_of_every_kind(tmp_path: Path, value: str, shape: str) -> None:
    check_one_line(write_table(tmp_path, shape.format(VALUES[value])))


@pytest.mark.parametrize("key", ["\\ud800", "\\u0000", "k" * 100_000, ""])
def test_names_of_columns_of_every_kind(tmp_path: Path, key: str) -> None:
    check_one_line(write_table(tmp_path, f'[{{"{key}": 1}}]'))
    check_one_line(write_table(tmp_path, f'[{{"id": 1, "{key}": "x"}}]'))
    check_one_line(write_table(tmp_path, f'{{"{key}": 1}}'))


CSV = {
    "a mark of UTF-8": b'\xef\xbb\xbfid,candidate,references\n1,a dog,"[""a""]"\n',
    "UTF-16": "id,candidate,references\n1,a,b\n".encode("utf-16"),
    "UTF-32": "id,candidate\n1,a\n".encode("utf-32"),
    "a null character": b'id,candidate,references\n1,a\x00b,"[""a""]"\n',
    "an open quote": b'id,candidate,references\n1,"a dog,x\n2,b,y\n',
    "a quote inside": b'id,candidate,references\n1,"a"b,x\n',
    "many columns": b",".join(b"%d" % number for number in range(50_000)) + b"\n" + b"," * 49_999,
    "many commas": b"," * 50_000,
    "line ends": b"\n" * 200_000,
    "old line ends": b"id,candidate,references\r1,a,b\r",
    "nothing": b"",
}


@pytest.mark.slow
@pytest.mark.parametrize("content", CSV)
def test_csv_of_every_kind(tmp_path: Path, content: str) -> None:
    path = write_table(tmp_path, CSV[content], "csv")
    check_one_line(path)
    if content == "a mark of UTF-8":
        assert read_corpus(path).candidates == ["a dog"]


def parquet(tmp_path: Path, columns: Any, **options: str) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path = tmp_path / "f.parquet"
    table = columns if isinstance(columns, arrow.Table) else arrow.table(columns)
    pyarrow.parquet.write_table(table, path, **options)
    return path


@pytest.mark.slow
def test_parquet_of_every_type(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import datetime
    import decimal

    day = datetime.datetime(2020, 1, 1)
    usual = {"id": ["a"], "candidate": ["b"], "references": [["c"]]}
    odd = [
        arrow.array([1], arrow.timestamp("ns", "Nowhere/Land")),
        arrow.array([2**50], arrow.timestamp("ms")),
        arrow.array([day]),
        arrow.array([2**31 - 1], arrow.date32()),
        arrow.array([10**17], arrow.duration("s")),
        arrow.array([decimal.Decimal("1.5")]),
        arrow.array([{"a": 1}]),
        arrow.array([[[1]]]),
        arrow.array(["x"]).dictionary_encode(),
        arrow.array([b"\xff"]),
        arrow.array([None]),
        arrow.array([True]),
        arrow.array([float("nan")]),
        arrow.array([[("k", 1)]], arrow.map_(arrow.string(), arrow.int64())),
    ]
    for array in odd:
        for name in (*usual, "score"):
            check_one_line(parquet(tmp_path, {**usual, name: array}))
    # A column that nobody asked for is not looked at.
    assert read_corpus(parquet(tmp_path, {**usual, "when": odd[1]})).candidates == ["b"]


def test_parquet_without_rows_or_with_a_name_twice(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match="no rows"):
        read_corpus(parquet(tmp_path, {"id": arrow.array([], arrow.string())}))
    twice = arrow.table([arrow.array(["a"]), arrow.array(["b"])], names=["id", "id"])
    with pytest.raises(InputError, match="two columns have the same name"):
        read_corpus(parquet(tmp_path, twice))


def test_parquet_that_repeats_one_value_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    from captious.io import parquet as module

    monkeypatch.setattr(module, "MAX_ROWS", 1000)
    nulls = arrow.table({"id": arrow.nulls(1_000_000, arrow.string())})
    with pytest.raises(InputError, match=r"1,000,000 rows in [\d,]+ bytes cannot be captions"):
        read_corpus(parquet(tmp_path, nulls))
    monkeypatch.setattr(module, "MAX_UNPACKED_BYTES", 1000)
    long = parquet(
        tmp_path,
        {name: [value] for name, value in ROW.items()} | {"candidate": ["x" * 10_000_000]},
        compression="gzip",
    )
    with pytest.raises(InputError, match=r"f\.parquet: enormous \([\d,]+ bytes unpacked; at most"):
        read_corpus(long)
