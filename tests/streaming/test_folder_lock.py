"""One process a folder, none kept out by the dead, and nothing left where nothing was done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from captious.errors import CaptiousWarning, InputError, OutputError
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.streaming import folder_lock
from captious.streaming.folder_lock import LOCK, NOTE, SETTINGS, lock_folder, remove_parts

fcntl = pytest.importorskip("fcntl")
HOLD = """
import sys, time
from pathlib import Path
from captious.streaming.folder_lock import lock_folder
with lock_folder(Path(sys.argv[1])):
    print("here", flush=True)
    time.sleep(60)
"""


def test_second_process_is_locked_out_until_the_first_ends(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    line = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == "here\n"
            said = rf"another process writes there \(number {other.pid} on "
            with pytest.raises(InputError, match=said), lock_folder(folder):
                pass
            assert (folder / UNFINISHED / LOCK).exists()  # nothing of the other's is gone
        finally:
            other.send_signal(signal.SIGKILL)
    with lock_folder(folder):
        (folder / MANIFEST).write_text("{}")
    assert [path.name for path in folder.iterdir()] == [MANIFEST]


def test_folder_cannot_be_locked_twice_by_one_process(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "out"):
        with pytest.raises(InputError, match="another process"), lock_folder(tmp_path / "out"):
            pass
        assert (tmp_path / "out" / UNFINISHED / LOCK).exists()
    assert not (tmp_path / "out").exists()


def test_removed_lock_file_does_not_count_as_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that opened the lock file before its removal opens it again."""
    folder, opened = tmp_path / "out", list[int]()
    real = os.open

    def slow(path: Path, *how: int) -> int:
        handle = real(path, *how)
        if not opened:
            Path(path).unlink()  # by the one who was here
        opened.append(handle)
        return handle

    monkeypatch.setattr(os, "open", slow)
    with lock_folder(folder):
        assert len(opened) == 2
        assert os.fstat(opened[1]).st_ino == (folder / UNFINISHED / LOCK).stat().st_ino


def test_without_fcntl_no_lock_file_is_held_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows removes no file that is open: what was unfinished would stay."""
    monkeypatch.setattr(folder_lock, "fcntl", None)
    with lock_folder(tmp_path / "out"):
        assert list((tmp_path / "out" / UNFINISHED).iterdir()) == []
    assert not (tmp_path / "out").exists()


def test_file_system_without_locks_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*about: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.warns(CaptiousWarning, match="has no locks"), lock_folder(tmp_path / "out"):
        pass


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("precious")
    with pytest.raises(InputError, match="holds other files"), lock_folder(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]
    with pytest.raises(OutputError, match="cannot be made"), lock_folder(tmp_path / "precious.txt"):
        pass


@pytest.mark.parametrize(
    ("error", "there", "stays"),
    [
        (InputError, (SETTINGS,), False),
        (InputError, (SETTINGS, "frequencies.npz.json"), False),
        (InputError, (SETTINGS, f"{NOTE}000000.json"), True),
        (KeyboardInterrupt, (SETTINGS,), False),
        (KeyboardInterrupt, ("frequencies.npz.json",), True),
        (KeyboardInterrupt, (SETTINGS, f"{NOTE}000000.json"), True),
    ],
)
def test_unfinished_folder_is_kept_only_if_it_can_be_resumed(
    tmp_path: Path, error: type[BaseException], there: tuple[str, ...], stays: bool
) -> None:
    folder = tmp_path / "out"
    with pytest.raises(error), lock_folder(folder):
        for name in there:
            (folder / UNFINISHED / name).write_text("{}")
        raise error("stopped")
    assert folder.exists() == stays


def test_removed_parts_leave_no_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "out"):
        (tmp_path / "out" / "part-000000.csv").write_text("a")
        (tmp_path / "out" / UNFINISHED / SETTINGS).write_text("{}")
        remove_parts(tmp_path / "out")
    assert not list(tmp_path.iterdir())
