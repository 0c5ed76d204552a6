"""Temporary files that become a file or vanish, whatever ends the process that writes them.

Each is locked as long as its process lives. One without a lock was left by a process that was
killed, and whoever writes the same file next removes it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows has no such locks: nothing is removed there
    fcntl = None  # type: ignore[assignment]

PREFIX, SUFFIX = ".captious-", ".part"
# Never another's file, and never what a link points to.
_MAKE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NOT_HERE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


class TemporaryFile:
    """An empty file in the folder of the one that it is to become."""

    def __init__(self, target: Path) -> None:
        self.target = target
        remove_left_over(target)
        self._handle, self.path = _made_beside(target)
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
            if error.errno not in _NOT_HERE:  # some file systems of the network know no such thing
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


def remove_left_over(target: Path) -> None:
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
            _remove_unless_locked(path)


def _remove_unless_locked(path: Path) -> None:
    """Remove a file that no process holds; another user's, or one just removed, is left alone."""
    with contextlib.suppress(OSError):
        handle = os.open(path, _LOOK)
        try:
            if _lock(handle):
                path.unlink()
        finally:
            os.close(handle)


def _made_beside(target: Path) -> tuple[int, Path]:
    """A file that this process has locked, under a name that nobody else has."""
    while True:
        path = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}{SUFFIX}")
        handle = os.open(path, _MAKE, 0o666)  # less what the umask takes off
        locked = _lock(handle)
        # Between making and locking, another process may have taken it for left over.
        if locked is None or (locked and _is_there(path, handle)):
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


def _is_there(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _prefix(target: Path) -> str:
    """The same for one file at all times, and short however long the file's name is."""
    return f"{PREFIX}{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}-"
