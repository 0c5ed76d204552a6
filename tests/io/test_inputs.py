"""Whatever a name leads to, opening it ends in an ordinary file's bytes or in one clear line."""

from __future__ import annotations

import gzip
import os
import socket
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.cli.main import main
from captious.comparison.score_files import read_scores
from captious.errors import InputError
from captious.images.reading import BadImageError, read_image_bytes
from captious.io import inputs
from captious.io.captions import read_corpus
from captious.io.inputs import open_unpacked, read_input, read_text
from captious.io.where_image2 import read_systems
from captious.meta.benchmarks.custom import read_judgements
from captious.metrics.learned.feature_files import read_toml
from captious.pregen.search_table import read_search_table
from captious.text.vectors.vector_files import convert_vectors

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kinds of files that only POSIX has")

READERS: dict[str, Callable[[Path], object]] = {
    "corpus": read_corpus,
    "scores": read_scores,
    "systems": read_systems,
    "recipe": read_toml,
    "judgements": read_judgements,
    "search table": read_search_table,
    "word vectors": lambda path: convert_vectors(path, "mine"),
    "image": read_image_bytes,
}


def make_input(kind: str, tmp_path: Path) -> Path:
    path = tmp_path / "given.json"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "symbolic links":
        path.symlink_to(path)
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
    elif kind.startswith("/dev"):
        path.symlink_to(kind)
    return path


SAID = {
    "a pipe": r"given\.json: cannot be read \(a pipe\)",
    "a folder": r"given\.json: cannot be read \(a folder\)",
    "a socket": r"given\.json: cannot be read \(a socket\)",
    "/dev/zero": r"given\.json: cannot be read \(a device\)",
    "/dev/full": r"given\.json: cannot be read \(a device\)",
    "symbolic links": r"given\.json: cannot be read \(Too many levels of symbolic links\)",
}


@pytest.mark.parametrize("kind", SAID)
@pytest.mark.parametrize("reader", READERS)
def test_only_ordinary_files_are_read(kind: str, reader: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=SAID[kind]):
        READERS[reader](make_input(kind, tmp_path))


def test_the_command_line_does_not_wait_for_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(make_input("a pipe", tmp_path))]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_pipe_that_took_the_files_place_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_input("a pipe", tmp_path)
    seen = []
    monkeypatch.setattr(inputs, "_check_kind", lambda path, mode: seen.append(mode))
    assert read_input(path) == b"" and len(seen) == 2


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5000])
def test_invalid_file_names_are_input_errors(name: str) -> None:
    with pytest.raises(InputError, match=r"not a file name|name too long") as error:
        read_input(name)
    assert "\0" not in str(error.value)


@pytest.mark.parametrize("name", ["nowhere", "x" * 5000, "null\0", "half\ud800", ""])
def test_existence_checks_accept_any_name(name: str, tmp_path: Path) -> None:
    path = f"{tmp_path}/missing/{name}"
    assert not inputs.exists(path) and not inputs.is_file(path) and not inputs.is_folder(path)
    assert inputs.modification_time(path) == 0


def test_existing_files_and_folders_are_found(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    os.utime(file, ns=(5, 7))
    assert inputs.is_file(file) and not inputs.is_folder(file) and inputs.exists(file)
    assert inputs.is_folder(str(tmp_path)) and not inputs.is_file(str(tmp_path))
    assert inputs.modification_time(file) == 7


def test_files_without_a_size_are_read_to_their_end() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    assert read_input("/proc/self/status").startswith(b"Name:")
    with pytest.raises(InputError, match=r"enormous \(more than 10 bytes\)"):
        read_input("/proc/self/status", 10)


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as stream:
        stream.truncate(inputs.MAX_FILE_BYTES + 1)  # takes no room on the disk
    with pytest.raises(InputError, match=r"a\.json: enormous \(more than 8,590 MB\)"):
        read_input(path)


def bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()


@pytest.mark.slow
@pytest.mark.parametrize("members", [1, 40])
def test_gzip_bomb_is_abandoned_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: int
) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(bomb((40 << 20) // members) * members)
    monkeypatch.setattr(inputs, "MAX_UNPACKED_BYTES", 10 << 20)
    read: list[int] = []
    whole = gzip.GzipFile.read

    def spy(self: gzip.GzipFile, size: int) -> bytes:
        read.append(size)
        return whole(self, size)

    monkeypatch.setattr(gzip.GzipFile, "read", spy)
    with pytest.raises(InputError, match=r"a\.jsonl\.gz: enormous \(unpacked, more than 10 MB\)"):
        read_corpus(path)
    assert sum(read) <= 12 << 20


def test_well_compressed_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt.gz"
    monkeypatch.setattr(inputs, "MAX_UNPACKED_BYTES", 100)
    text = b"".join(b"%d a dog runs over the grass\n" % number for number in range(50_000))
    path.write_bytes(gzip.compress(text))
    assert read_input(path) == text


def test_unpacking_a_part_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.vec.gz"
    path.write_bytes(gzip.compress(b"a 1 2\nb 3 4\n"))
    with open_unpacked(path) as stream:
        assert stream.readline() == b"a 1 2\n"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="cut off"), open_unpacked(path) as stream:
        stream.read()
    path.write_bytes(b"no gzip")
    with pytest.raises(InputError, match="not a valid gzip file"), open_unpacked(path) as stream:
        stream.read()


def test_a_bomb_of_word_vectors_is_read_a_line_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.vec.gz"
    path.write_bytes(bomb(30 << 20))
    with pytest.raises(InputError, match="not a file of word vectors"):
        convert_vectors(path, "mine")


def test_running_out_of_memory_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"[]")

    class Full:
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: Any) -> None:
            return None

        def fileno(self) -> int:
            return os.open(path, os.O_RDONLY)

        def read(self, size: int) -> None:
            raise MemoryError

    monkeypatch.setattr(inputs, "_open", lambda path: Full())
    with pytest.raises(InputError, match="too large for this computer's memory"):
        read_text(path)


def test_an_image_is_never_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg.gz"
    path.write_bytes(gzip.compress(b"x"))
    assert read_image_bytes(path) == path.read_bytes()
    with pytest.raises(BadImageError, match="cannot be read"):
        read_image_bytes(tmp_path / "absent.jpg")


@pytest.mark.slow
def test_numbers_of_any_size_are_shown_short() -> None:
    from captious.errors import short_repr

    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert short_repr(deep) == "[[[[...]]]]"
    assert short_repr(10**5000) == "<some 5001 digits>" and short_repr(-(10**20)) == str(-(10**20))
    assert len(short_repr("x" * 10**6)) == len(short_repr(b"x" * 10**6)) == 200
    assert "\n" not in short_repr(np.zeros((40, 40)))
    assert short_repr("\ud800a") == r"'\ud800a'"
