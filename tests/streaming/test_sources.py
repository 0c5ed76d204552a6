"""Packed sources become ranges of files, and all else about them stays."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from unittest import mock

import pytest

from captious.errors import InputError
from captious.streaming.chunks import iter_chunks
from captious.streaming.sources import Source, resolve_sources, unpack_sources
from tests.streaming.rows import captions_of, write_rows


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv"])
def test_unpacked_sources_have_the_same_chunks(tmp_path: Path, ending: str) -> None:
    path = write_rows(tmp_path / f"rows.{ending}.gz", captions_of(30))
    plain = write_rows(tmp_path / f"plain.{ending}", captions_of(30))
    sources = resolve_sources([str(path), str(plain)])
    expected = list(iter_chunks(sources, 7))
    with unpack_sources(sources, tmp_path / "out") as readable:
        found = list(iter_chunks(readable, 7))
        assert readable[1] == sources[1]
        for before, chunk in zip(expected, found, strict=True):
            assert chunk.data is None and chunk.content() == before.content()
            assert (chunk.digest, chunk.place) == (before.digest, before.place)
            assert chunk.table().place(0) == before.table().place(0)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([path.name, plain.name])


def test_standard_input_is_unpacked_and_damaged_files_are_errors(tmp_path: Path) -> None:
    piped = io.TextIOWrapper(io.BufferedReader(io.BytesIO(b'{"id": 1}\n')))
    with (
        mock.patch.object(sys, "stdin", piped),
        unpack_sources([Source("-", "jsonl")], tmp_path / "out") as (source,),
    ):
        (chunk,) = iter_chunks([source])
        assert chunk.content() == b'{"id": 1}\n' and "standard input" in chunk.place
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:-9])
    sources = resolve_sources([str(tmp_path / "cut.jsonl.gz")])
    with (
        pytest.raises(InputError, match="the gzip file is cut off"),
        unpack_sources(sources, tmp_path / "out"),
    ):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["cut.jsonl.gz"]
