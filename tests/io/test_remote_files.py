"""Files of other file systems: names, patterns, reading, writing, and what is said of trouble."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock
from urllib.parse import unquote

import pytest

from captious.errors import CaptiousError, InputError
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.formats import read_table, write_columns
from captious.io.inputs import is_file, is_folder, read_input
from captious.io.remote_files import RemotePath, as_path, as_remote, remove_folder, without_query
from tests.remote import elsewhere

HERE = "mem://box/folder?region=here"


@pytest.fixture(autouse=True)
def other_file_system(tmp_path: Path) -> Iterator[None]:
    with elsewhere(tmp_path):
        yield


def test_names() -> None:
    folder = as_path(HERE)
    assert isinstance(folder, RemotePath) and folder.without_query == "mem://box/folder"
    assert folder / "a b.csv" == "mem://box/folder/a%20b.csv?region=here"
    assert (folder / "a b.csv").name == "a b.csv" and (folder / "x.csv").suffix == ".csv"
    assert folder.with_name("other") == "mem://box/other?region=here"
    assert without_query("rows?.csv") == "rows?.csv" and without_query(HERE) == "mem://box/folder"
    assert as_path("file:///data/a%20b.csv") == Path("/data/a b.csv")
    assert as_remote("C://x") is None and as_remote(Path("s3://x")) is None
    assert as_remote("name=s3://x") is None


def test_files_are_written_whole_listed_read_and_removed() -> None:
    folder = as_path(HERE)
    for name in ("1.jsonl", "2.jsonl", "deep/3.jsonl", "other.csv.gz"):
        with atomic_write(folder / name) as stream:
            stream.write(name.encode())
    with pytest.raises(ZeroDivisionError), atomic_write(folder / "never") as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    names = [each.name for each in folder.iterdir()]
    assert names == ["1.jsonl", "2.jsonl", "deep", "other.csv.gz"]
    found = RemotePath("mem://box/folder/*.jsonl?region=here").matching_files()
    assert [str(each) for each in found] == [
        "mem://box/folder/1.jsonl?region=here",
        "mem://box/folder/2.jsonl?region=here",
    ]
    for pattern, names in {
        "mem://box/f*/[2-3].jsonl": ["folder/2.jsonl"],
        "mem://box/folder/**/*.jsonl": ["1.jsonl", "2.jsonl", "deep/3.jsonl"],
        "mem://box/folder/x*": [],
    }.items():
        assert [unquote(each) for each in RemotePath(pattern).matching_files()] == [
            f"mem://box/{'folder/' * ('**' in pattern)}{name}" for name in names
        ]
    assert read_input(str(folder / "2.jsonl")) == b"2.jsonl"
    assert read_input(str(folder / "other.csv.gz")) == b"other.csv.gz"
    assert is_folder(str(folder)) and is_file(folder / "1.jsonl") and not is_file(folder / "9")
    remove_folder(folder)
    assert not is_folder(folder)
    remove_folder(folder)


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "tsv", "parquet", "csv.gz"])
def test_tables_of_every_format(ending: str) -> None:
    path = f"mem://box/rows.{ending}?region=here"
    write_columns(path, {"id": ["a", "b"], "score": [0.5, 1.0]}, {"signature": "s"})
    assert read_table(path).columns["id"] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mem://box/none.csv", "none.csv: cannot be read"),
        ("nothing://box/none.csv", "cannot be reached"),
        ("s3://key:secret@bucket/x.csv", "a password in a name"),
    ],
)
def test_remote_errors_are_one_line(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        read_table(name)
    assert "\n" not in str(raised.value) and "secret" not in str(raised.value)
    if not name.startswith("mem"):
        with pytest.raises(InputError, match=said):
            check_writable(name)


def test_without_pyarrow_the_error_says_what_to_install() -> None:
    with (
        mock.patch.dict(sys.modules, {"pyarrow.fs": None, "pyarrow": None}),
        pytest.raises(CaptiousError, match=r"pip install 'captious\[parquet\]'"),
    ):
        read_table("s3://never-seen/x.csv")
