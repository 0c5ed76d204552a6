"""Exclusive lock on an output folder, released on exit or crash.

It is a file lock in the subfolder `unfinished`, which the operating system releases when a process
dies: a killed process keeps no other out.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from captious.errors import InputError, OutputError, warn
from captious.io.inputs import is_file, is_folder
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.io.remote_files import AnyPath, RemotePath, remove_folder

try:
    import fcntl
except ImportError:
    # Windows has no such locks, and does not remove open files: folders are not locked there.
    fcntl = None  # type: ignore[assignment]

SETTINGS, NOTE, LOCK = "settings.json", "noted-", "lock"  # in `unfinished`
ANOTHER_FOLDER_ADVICE = "name another folder, or remove this one"
MAX_LOCK_ATTEMPTS = 100  # to lock a file that others remove when they are done


@contextmanager
def lock_folder(folder: AnyPath) -> Iterator[None]:
    """Lock a folder against other processes within the block.

    A failure before the first finished part leaves nothing behind; an interrupted run leaves what
    it can be resumed from. Remote file systems have no locks: folders are not locked there.
    """
    _check_is_part_folder(folder)
    with nullcontext() if isinstance(folder, RemotePath) else _hold_lock(folder):
        try:
            yield
        except BaseException as error:
            was_interrupted = not isinstance(error, Exception)
            if is_file(folder / MANIFEST) or not _is_worth_keeping(folder, was_interrupted):
                remove_folder(folder / UNFINISHED)
            raise


@contextmanager
def _hold_lock(folder: Path) -> Iterator[None]:
    """The lock of a folder, where there are locks, as long as the block lasts."""
    handle = _acquire_lock(folder)
    try:
        yield
    finally:
        _remove_if_empty(folder)
        if handle is not None:
            os.close(handle)


@contextmanager
def scratch_dir(folder: AnyPath) -> Iterator[Path]:
    """Local folder for intermediate files: in the output folder, or temporary if that is remote."""
    if isinstance(folder, Path):
        yield folder / UNFINISHED
        return
    with TemporaryDirectory(prefix="captious-") as temporary:
        yield Path(temporary)


def parts_folder_of(file: AnyPath) -> AnyPath:
    """The folder for parts that are joined to a file in the end."""
    return file.with_name(f"{file.name}.parts")


def remove_parts(folder: AnyPath) -> None:
    """Remove all parts, in an order that leaves a resumable folder if the process is killed."""
    for path in folder.iterdir():
        if path.name != UNFINISHED:
            path.unlink()
    remove_folder(folder / UNFINISHED)
    if isinstance(folder, RemotePath):
        folder.remove_folder()


def _check_is_part_folder(folder: AnyPath) -> None:
    """Stop at a folder that was never begun, and holds something."""
    if is_file(folder / MANIFEST) or is_file(folder / UNFINISHED / SETTINGS):
        return
    if is_folder(folder) and any(path.name != UNFINISHED for path in folder.iterdir()):
        raise InputError(f"{folder}: holds other files; {ANOTHER_FOLDER_ADVICE}")


def _acquire_lock(folder: Path) -> int | None:
    """The lock, as an open file."""
    work = folder / UNFINISHED
    for _ in range(MAX_LOCK_ATTEMPTS):
        try:
            work.mkdir(parents=True, exist_ok=True)
            if fcntl is None:
                return None
            handle = os.open(work / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:  # another process is just removing it
            continue
        except OSError as error:
            raise OutputError(f"{folder}: cannot be made ({error.strerror or error})") from None
        if _try_lock(folder, handle):
            return handle
        os.close(handle)
    raise OutputError(f"{folder}: other processes keep using it; name another folder")


def _try_lock(folder: Path, handle: int) -> bool:
    """Try to take the lock; False if its previous owner removed the file meanwhile."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = os.read(handle, 200).decode("utf-8", "replace")
        os.close(handle)
        raise InputError(
            f"{folder}: another process writes there ({who}); wait for it, or name another folder"
        ) from None
    except OSError as error:
        warn(
            f"{folder}: its file system has no locks ({error.strerror}); make sure that no other "
            "process writes there"
        )
        return True
    try:
        is_same = os.path.samestat(os.fstat(handle), (folder / UNFINISHED / LOCK).stat())
    except FileNotFoundError:
        return False
    if is_same:
        os.ftruncate(handle, 0)
        os.write(handle, f"number {os.getpid()} on {socket.gethostname()}".encode())
    return is_same


def _is_worth_keeping(folder: AnyPath, was_interrupted: bool) -> bool:
    """Whether something was done that can be gone on with: parts, or a first pass."""
    work = folder / UNFINISHED
    if any(work.glob(f"{NOTE}*")) or any(folder.glob("part-*")):
        return True
    return was_interrupted and any(path.name != SETTINGS for path in work.glob("*.json"))


def _remove_if_empty(folder: Path) -> None:
    """Remove the lock's file where nothing else is left, and folders without files."""
    work = folder / UNFINISHED
    if is_folder(work) and [path.name for path in work.iterdir()] == [LOCK]:
        shutil.rmtree(work, ignore_errors=True)
    for each in (work, folder):
        with suppress(OSError):
            each.rmdir()
