"""What holds for a whole file is written once and found again, wherever it stands."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from captious.io.file_metadata import metadata_values
from captious.io.formats import read_table, write_columns

SAID = "captious:0|tokenizer:ptb|bleu(n=4)"
ROWS: dict[str, list[Any]] = {"id": [1, 2, 3], "score": [0.5, 0.25, 1.0]}


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "tsv", "parquet", "csv.gz"])
def test_metadata_is_written_once_and_read_back(tmp_path: Path, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"rows.{ending}"
    write_columns(path, ROWS, {"signature": SAID})
    table = read_table(path)
    assert metadata_values(table, "signature") == [SAID] and metadata_values(table, "other") == []
    assert [float(value) for value in table.columns["score"]] == ROWS["score"]
    if ending not in ("csv.gz", "parquet"):
        assert path.read_text().count(SAID) == 1


def test_parquet_metadata_adds_no_column(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_columns(tmp_path / "rows.parquet", ROWS, {"signature": SAID})
    schema = parquet.read_schema(tmp_path / "rows.parquet")
    assert schema.names == list(ROWS)
    assert schema.metadata == {b"captious.signature": SAID.encode()}


def test_rows_may_be_sorted_and_other_programs_read_them(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_columns(path, ROWS, {"signature": SAID})
    lines = path.read_text().splitlines()
    assert [len(json.loads(line)) for line in lines] == [3, 2, 2]
    random.Random(1).shuffle(lines)
    path.write_text("\n".join(lines))
    assert metadata_values(read_table(path), "signature") == [SAID]
    write_columns(tmp_path / "rows.csv", ROWS, {"signature": SAID})
    with (tmp_path / "rows.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["signature"] for row in rows] == [SAID, "", ""]


def test_metadata_in_every_row_and_of_concatenated_files_is_read(tmp_path: Path) -> None:
    write_columns(tmp_path / "old.csv", {**ROWS, "signature": [SAID] * 3})
    assert metadata_values(read_table(tmp_path / "old.csv"), "signature") == [SAID]
    write_columns(tmp_path / "two.jsonl", {**ROWS, "signature": [SAID, None, "other"]})
    assert metadata_values(read_table(tmp_path / "two.jsonl"), "signature") == [SAID, "other"]
