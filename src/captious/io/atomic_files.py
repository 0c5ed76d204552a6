"""Atomic writes: a file has its old contents or all of the new ones, never a part of them.

New contents go into a temporary file beside the target, which then replaces it. The temporary file
is locked as long as its process lives; one without a lock was left by a process that was killed,
and the next write to the same target removes it.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, cast

from captious.errors import CaptiousError, OutputError
from captious.io.inputs import is_gzipped
from captious.io.remote_files import RemotePath, as_remote

try:
    import fcntl
except ImportError:  # Windows has no such locks: nothing is removed there
    fcntl = None  # type: ignore[assignment]

PREFIX, SUFFIX = ".captious-", ".part"
# Never another's file, and never what a link points to.
_CREATE_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FSYNC_UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


@contextmanager
def atomic_write(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream whose contents become the file when the block ends well, and vanish otherwise.

    A pipe or a device is not replaced: it gets the contents, all at once when the block ends well.
    """
    try:
        with _open_target(path) as stream:
            if is_gzipped(path):
                # No name and no time of day inside, so that equal scores give equal files.
                with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
                    yield cast(IO[bytes], packed)
            else:
                yield stream
    except CaptiousError:
        raise
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None


def check_writable(path: str | Path) -> None:
    """Stop before the work, not after it, where a file could not be written."""
    if (remote := as_remote(path)) is not None:
        remote.check_reachable()
        return
    target = _resolve_target(path)
    if not _is_pipe_or_device(path):
        _create_temporary(target).discard()


def _open_target(path: str | Path) -> AbstractContextManager[IO[bytes]]:
    """A stream to whatever kind of file it is."""
    if (remote := as_remote(path)) is not None:
        return _upload(remote)
    target = _resolve_target(path)
    return _write_to_pipe(path) if _is_pipe_or_device(path) else _replace_file(target)


@contextmanager
def _upload(remote: RemotePath) -> Iterator[IO[bytes]]:
    """A stream into a file of this machine without a name, which another file system gets whole."""
    with tempfile.TemporaryFile() as buffer:
        yield buffer
        buffer.seek(0)
        remote.upload(buffer)


@contextmanager
def _replace_file(target: Path) -> Iterator[IO[bytes]]:
    """A stream into a temporary file, which takes the target's place."""
    temporary = _create_temporary(target)
    try:
        with temporary.stream() as stream:
            yield stream
        temporary.become_target()
    finally:
        temporary.discard()


@contextmanager
def _write_to_pipe(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream into a file without a name, whose contents a pipe or a device gets."""
    with tempfile.TemporaryFile() as buffer:
        yield buffer
        buffer.seek(0)
        with os.fdopen(os.open(path, os.O_WRONLY), "wb") as stream:
            shutil.copyfileobj(buffer, stream)


def _resolve_target(path: str | Path) -> Path:
    """What is written: not a link, but what it points to."""
    if not str(path):
        raise OutputError("the name of the file to write is empty; name a file")
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise OutputError(f"{path}: is a folder; name a file in it")
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError(f"{path}: cannot be written (it is read-only); choose another name")
    except CaptiousError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # too long, a null character, a circle
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{path}: not a name to write to ({reason})") from None
    return target


def _is_pipe_or_device(path: str | Path) -> bool:
    """Whether this is a pipe or a device."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode)


def _create_temporary(target: Path) -> TemporaryFile:
    try:
        return TemporaryFile(target)
    except OSError as error:
        raise OutputError(
            f"{target}: cannot be written ({error.strerror}); "
            "choose a folder that exists and is writable"
        ) from None


class TemporaryFile:
    """An empty file in the folder of the one that it is to become."""

    def __init__(self, target: Path) -> None:
        self.target = target
        remove_stale(target)
        self._handle, self.path = _create_locked(target)
        with contextlib.suppress(FileNotFoundError):
            # A file that others could not read stays so when it is written anew.
            self._keep_mode(target.stat().st_mode)

    def _keep_mode(self, mode: int) -> None:
        if hasattr(os, "fchmod"):
            os.fchmod(self._handle, stat.S_IMODE(mode))

    def stream(self) -> IO[bytes]:
        """Where to write; the lock stays after it is closed."""
        return os.fdopen(os.dup(self._handle), "wb")

    def become_target(self) -> None:
        """Take the place of the file, at once.

        What was written is on the disk before: else a power cut could leave the new name without
        its contents. The folder may lag behind, and then has the old file, which is whole too.
        """
        try:
            os.fsync(self._handle)
        except OSError as error:
            if (
                error.errno not in _FSYNC_UNSUPPORTED
            ):  # some file systems of the network know no such thing
                raise
        if fcntl is None:
            self._close()  # Windows renames no open file
        self.path.replace(self.target)

    def discard(self) -> None:
        """Leave nothing behind, if it has not become the file."""
        try:
            self._close()  # first: Windows removes no open file, either
        finally:
            self.path.unlink(missing_ok=True)

    def _close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def remove_stale(target: Path) -> None:
    """Remove what killed processes left of this very file; what is being written stays."""
    prefix = _prefix(target)
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        left_over = [
            Path(entry.path)
            for entry in entries
            if entry.name.startswith(prefix)
            and entry.name.endswith(SUFFIX)
            and entry.is_file(follow_symlinks=False)
        ]
        for path in left_over:
            _remove_if_unlocked(path)


def _remove_if_unlocked(path: Path) -> None:
    """Remove a file that no process holds; another user's, or one just removed, is left alone."""
    with contextlib.suppress(OSError):
        handle = os.open(path, _OPEN_FLAGS)
        try:
            if _lock(handle):
                path.unlink()
        finally:
            os.close(handle)


def _create_locked(target: Path) -> tuple[int, Path]:
    """Create a file under a new name and lock it."""
    while True:
        path = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}{SUFFIX}")
        handle = os.open(path, _CREATE_FLAGS, 0o666)  # less what the umask takes off
        locked = _lock(handle)
        # Between making and locking, another process may have taken it for left over.
        if locked is None or (locked and _is_same_file(path, handle)):
            return handle, path
        os.close(handle)


def _lock(handle: int) -> bool | None:
    """Whether this process has the lock now; None where the file system has no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_same_file(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _prefix(target: Path) -> str:
    """The same for one file at all times, and short however long the file's name is."""
    return f"{PREFIX}{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}-"
