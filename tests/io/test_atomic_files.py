"""Atomic writes: a file is complete or unchanged, with other writers and after any crash."""

from __future__ import annotations

import errno
import gzip
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captious.errors import OutputError
from captious.io.atomic_files import atomic_write, check_writable

WRITE_AND_WAIT = """
import sys
from captious.io.atomic_files import atomic_write
with atomic_write(sys.argv[1]) as stream:
    stream.write(b"half")
    stream.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""
WRITE_OFTEN = """
import sys
from captious.io.atomic_files import atomic_write
for _ in range(60):
    with atomic_write(sys.argv[1]) as stream:
        stream.write(sys.argv[2].encode() * 5000)
"""


def write(path: Path | str, content: bytes = b"new") -> None:
    with atomic_write(path) as stream:
        stream.write(content)


def start_writing(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE_AND_WAIT, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    return process


def test_stale_temporary_file_is_removed_by_the_next_write(
    tmp_path: Path,
) -> None:
    path = tmp_path / "scores.csv"
    with start_writing(path) as process:
        process.send_signal(signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) == 1, "nothing was left: this test tests nothing"
    write(tmp_path / "other.csv")
    assert len(list(tmp_path.iterdir())) == 2, "left over of another file, which is not ours"
    write(path)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["other.csv", "scores.csv"]


def test_temporary_file_of_a_running_process_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    with start_writing(path) as process:
        check_writable(path)
        write(path, b"ours")
        assert path.read_bytes() == b"ours"
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
        assert process.returncode == 0
    assert path.read_bytes() == b"half" and list(tmp_path.iterdir()) == [path]


def test_other_files_are_not_removed_as_stale(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    with atomic_write(path) as stream:
        (temporary,) = tmp_path.iterdir()
        stream.write(b"x")
    others = [".scores.csv.swp", f"{temporary.name}x", temporary.name[1:], ".captious-.part"]
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / temporary.name).symlink_to(tmp_path / others[0])
    write(path)
    assert {entry.name for entry in tmp_path.iterdir()} == {*others, temporary.name, "scores.csv"}


@pytest.mark.slow
def test_two_processes_that_write_one_file_both_succeed(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE_OFTEN, str(path), letter]) for letter in "ab"
    ]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            seen.add(path.read_bytes())
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen <= {b"a" * 5000, b"b" * 5000}
    assert list(tmp_path.iterdir()) == [path]


def test_threads_never_see_another_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    masks: list[int] = []
    monkeypatch.setattr(os, "umask", masks.append)
    write(tmp_path / "scores.csv")
    assert masks == []


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        write(tmp_path / "scores.csv")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "scores.csv").stat().st_mode) == 0o666 & ~mask


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.touch(0o600)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["a" * 251 + ".csv", "\N{DOG FACE}" * 62 + ".csv"])
def test_the_longest_names_there_are(tmp_path: Path, name: str) -> None:
    check_writable(tmp_path / name)
    write(tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["", "\0.csv", "a" * 300 + ".csv", "loop.csv/x.csv", "."])
def test_invalid_file_names_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    for attempt in (check_writable, write):
        with pytest.raises(OutputError):
            attempt(name)
    assert [entry.name for entry in tmp_path.iterdir()] == ["loop.csv"]


@pytest.mark.parametrize("name", ["pipe.csv", "link.csv", "pipe.csv.gz"])
def test_a_pipe_gets_the_contents_and_stays_a_pipe(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to("pipe.csv")
    if name.endswith(".gz"):
        os.mkfifo(tmp_path / name)
    path, read = tmp_path / name, []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    check_writable(path)
    write(path, b"scores")
    reader.join(10)
    assert [gzip.decompress(read[0]) if name.endswith(".gz") else read[0]] == [b"scores"]
    assert path.is_fifo()


def test_pipe_gets_nothing_of_a_failed_write(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(RuntimeError), atomic_write(tmp_path / "pipe.csv") as stream:
        stream.write(b"half")
        raise RuntimeError
    assert (tmp_path / "pipe.csv").is_fifo()


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"scores\.csv: cannot be written \(No space left"):
        write(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_file_that_grows_too_large_leaves_the_old_one(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = tmp_path / "scores.csv"
    path.write_text("old")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    try:
        with pytest.raises(OutputError, match="File too large"):
            write(path, b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_where_the_file_system_has_no_locks_and_no_sync_files_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def refused(*_: int) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr("captious.io.atomic_files.fcntl.flock", refused)
    monkeypatch.setattr(os, "fsync", refused)
    write(tmp_path / "scores.csv")
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.csv"]


def test_no_open_file_is_renamed_or_removed_where_the_system_has_no_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows would refuse it: nothing could be written there."""
    opened = Path("/proc/self/fd")
    if not opened.is_dir():
        pytest.skip("needs Linux")

    def refuses(do: Callable[..., Any]) -> Callable[..., Any]:
        def done(path: Path, *arguments: Any, **options: Any) -> Any:
            assert path not in [Path(os.path.realpath(each)) for each in opened.iterdir()]
            return do(path, *arguments, **options)

        return done

    monkeypatch.setattr("captious.io.atomic_files.fcntl", None)
    for name in ("replace", "unlink"):
        monkeypatch.setattr(Path, name, refuses(getattr(Path, name)))
    path = tmp_path / "scores.csv"
    check_writable(path)
    write(path)
    with pytest.raises(ZeroDivisionError), atomic_write(path):
        raise ZeroDivisionError
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.csv"]


def test_a_failed_write_leaves_nothing_and_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_usual_permissions(tmp_path: Path) -> None:
    path, usual = tmp_path / "a", tmp_path / "b"
    with atomic_write(path) as stream:
        stream.write(b"x")
    usual.touch()
    assert path.stat().st_mode == usual.stat().st_mode


def test_what_a_link_points_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_write(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "real").read_text() == "new" and (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("place", ["nowhere/scores.csv", "."])
def test_unwritable_output_is_an_error_before_the_work(tmp_path: Path, place: str) -> None:
    with pytest.raises(OutputError, match=r"cannot be written|is a folder"):
        check_writable(tmp_path / place)
    assert list(tmp_path.iterdir()) == []
