"""Cache on disk for expensive analyses, by caption or image and model: parses and vectors.

One SQLite file: several processes may fill it at once, and one that is killed loses its own last
work and nothing else. Entries are checked when they are read; a damaged one is analysed again.
Whatever is wrong with the cache costs its use and a warning, never a score.

The file itself may come from anyone. Every entry is signed with a key that only its user has, in a
folder of the user's own and not beside the cache, so that an entry written by others is not found.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from captious._internal.locks import ForkSafeLock
from captious.errors import OutputError, warn

ResultT = TypeVar("ResultT")
ValueT = TypeVar("ValueT")
Floats = NDArray[np.float32]
Work = Callable[[sqlite3.Connection, bytes], ResultT]  # with an open cache and its key

VERSION = 2
VECTOR_DTYPE = "<f4"  # numbers of a vector: single precision, little end first
FOLDER_VARIABLE = "CAPTIOUS_CACHE"  # a folder, or `off`
KEY_VARIABLE = "CAPTIOUS_CACHE_KEY"  # a file
SECRET_BYTES = 32
MAX_CACHE_BYTES = 1 << 30  # bytes; the oldest entries go when the file is larger
KEYS_PER_QUERY = 500  # in one query: SQLite takes a limited number of parameters
DIGEST_BYTES = 8  # bytes in front of every value: a hash that only the owner of the key can make
LOCK_TIMEOUT_S = 30.0  # while other processes write
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600  # captions may be private
MODES_OF_OTHERS = 0o077  # modes of a file that others can read or write
CREATE_TABLE = (
    "CREATE TABLE analyses (number INTEGER PRIMARY KEY AUTOINCREMENT, "
    "key BLOB UNIQUE NOT NULL, analysis TEXT NOT NULL, value BLOB NOT NULL)"
)
# In messages of errors that are temporary, or the folder's: a new file would not help.
TEMPORARY_ERRORS = ("locked", "busy", "full", "unable to open", "I/O", "memory")
CACHE_ERRORS = (OSError, ValueError, MemoryError, sqlite3.Error)

_warnings_given: dict[Path, set[str]] = {}  # of each file, in this process
# One thread at a time: a second one to remove a damaged file would remove the new one. A process
# forked while a thread is within SQLite would wait for SQLite's own locks for ever.
_sqlite = ForkSafeLock(delays_fork=True)


class _ForeignDatabaseError(sqlite3.DatabaseError):
    """A database with other tables than ours, or of another version."""


@dataclass(frozen=True)
class CacheInfo:
    """What a cache holds."""

    path: str
    bytes: int
    entries: dict[str, int]


class AnalysisCache:
    """Values of bytes, by the name of an analysis (with its model's hash) and a caption."""

    def __init__(self, folder: str | Path, limit: int = MAX_CACHE_BYTES) -> None:
        self.folder = Path(folder)
        self.limit = limit

    def __reduce__(self) -> tuple[type[AnalysisCache], tuple[Path, int]]:
        return (AnalysisCache, (self.folder, self.limit))

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / "analyses.sqlite3"

    def get(self, analysis: str, captions: Sequence[str]) -> dict[str, bytes]:
        """The values that are known for these captions."""

        def read(connection: sqlite3.Connection, secret: bytes) -> dict[str, bytes]:
            names = {_key(secret, analysis, caption): caption for caption in captions}
            packed: dict[str, bytes] = {}
            all_keys = list(names)
            for start in range(0, len(all_keys), KEYS_PER_QUERY):
                keys = all_keys[start : start + KEYS_PER_QUERY]
                places = ",".join("?" * len(keys))
                query = f"SELECT key, value FROM analyses WHERE key IN ({places})"
                for key, value in connection.execute(query, keys):
                    # A damaged or forged entry is as good as none.
                    if isinstance(value, bytes) and value[:DIGEST_BYTES] == _digest(
                        secret, key, value[DIGEST_BYTES:]
                    ):
                        packed[names[key]] = value[DIGEST_BYTES:]
            return packed

        return self._run(read, dict[str, bytes](), create=False)

    def put(self, analysis: str, values: Mapping[str, bytes]) -> None:
        """Store values of captions; an entry that exists is replaced."""

        def write(connection: sqlite3.Connection, secret: bytes) -> None:
            keyed = {_key(secret, analysis, caption): value for caption, value in values.items()}
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR REPLACE INTO analyses (key, analysis, value) VALUES (?, ?, ?)",
                [
                    (key, analysis, _digest(secret, key, value) + value)
                    for key, value in keyed.items()
                ],
            )
            self._shrink(connection)
            connection.execute("COMMIT")

        self._run(write, None, create=True)

    def info(self) -> CacheInfo:
        """Where the cache is, how large, and how many entries each analysis has."""

        def count(connection: sqlite3.Connection, _: bytes) -> dict[str, int]:
            # A damaged row may have no name, whatever the table allows.
            query = "SELECT COALESCE(analysis, ''), COUNT(*) FROM analyses GROUP BY 1 ORDER BY 1"
            rows = connection.execute(query)
            return {name.decode("utf-8", "replace"): number for name, number in rows}

        entries = self._run(count, dict[str, int](), create=False)
        return CacheInfo(str(self.path), sum(map(_file_size, self._files())), entries)

    def clear(self) -> None:
        """Remove all entries; unlike other methods, raises an error where it cannot."""
        try:
            self._remove()
        except (OSError, ValueError) as error:
            raise OutputError(
                f"{self.path}: the cache cannot be emptied ({_reason(error)}); "
                f"remove it yourself, or name another folder in {FOLDER_VARIABLE}"
            ) from None

    def _remove(self) -> None:
        with _sqlite:
            for path in self._files():
                with suppress(FileNotFoundError):
                    path.unlink()

    def _files(self) -> list[Path]:
        return [Path(f"{self.path}{ending}") for ending in ("", "-wal", "-shm")]

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Drop the oldest quarter while the file is larger than it may be."""
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size > self.limit:
            connection.execute(
                "DELETE FROM analyses WHERE number <= "
                "(SELECT MIN(number) + (MAX(number) - MIN(number)) / 4 FROM analyses)"
            )
            connection.execute("PRAGMA incremental_vacuum")

    def _run(self, work: Work[ResultT], default: ResultT, *, create: bool) -> ResultT:
        """The result of the work, on a new file where the old one is damaged; or the default."""
        with _sqlite:
            try:
                try:
                    return self._run_once(work, default, create)
                except CACHE_ERRORS as error:
                    if not _is_damage(error):
                        raise
                    self._remove()
                    if not isinstance(error, _ForeignDatabaseError):
                        self._warn_once(f"was damaged ({_reason(error)}) and begins anew")
                    return self._run_once(work, default, create)
            except CACHE_ERRORS as error:
                self._warn_once(f"cannot be used now ({_reason(error)}); going on without")
                return default

    def _run_once(self, work: Work[ResultT], default: ResultT, create: bool) -> ResultT:
        """The result of the work, or the default where there is no file and none is created."""
        if not self._file_exists() and not create:
            return default
        secret = read_secret(secret_path())
        with closing(self._open()) as connection:
            return work(connection, secret)

    def _warn_once(self, what: str) -> None:
        """Warn of a fault, once in a process."""
        warned = _warnings_given.setdefault(self.path, set())
        if what not in warned:
            warned.add(what)
            warn(f"{self.path}: the cache of analyses {what}")

    def _file_exists(self) -> bool:
        """Whether the file exists; an error where something else has its name."""
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(mode):  # SQLite would wait for a pipe, or read a device
            raise OSError("something that is not a file has its name; remove it")
        return True

    def _open(self) -> sqlite3.Connection:
        # A process that has waited for this file in vain does not wait again.
        has_timed_out = any("locked" in what for what in _warnings_given.get(self.path, ()))
        timeout = 0.0 if has_timed_out else LOCK_TIMEOUT_S
        make_private_folder(self.folder)
        if not self._file_exists():
            # SQLite would make one that all can read; files beside it get the modes of this.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
        connection = sqlite3.connect(self.path, timeout, isolation_level=None)
        connection.text_factory = bytes  # a damaged text must not fail to decode
        try:
            connection.execute("BEGIN")  # version and tables of one moment
            is_ours = _has_our_table(connection)
            connection.execute("COMMIT")
            if not is_ours:
                _create_table(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection


def _has_our_table(connection: sqlite3.Connection) -> bool:
    """Whether a database is as `_create_table` leaves it; False for an empty one."""
    query = "SELECT sql FROM sqlite_master WHERE substr(name, 1, 7) <> 'sqlite_'"
    (version,), tables = (
        connection.execute("PRAGMA user_version").fetchone(),
        connection.execute(query).fetchall(),
    )
    if (version, tables) == (VERSION, [(CREATE_TABLE.encode(),)]):
        return True
    if (version, tables) == (0, []):
        return False
    raise _ForeignDatabaseError(f"version {version}, {len(tables)} tables")


def _create_table(connection: sqlite3.Connection) -> None:
    """Make the table in an empty database."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    if not _has_our_table(connection):  # another process may have been faster
        connection.execute(CREATE_TABLE)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _is_damage(fault: Exception) -> bool:
    """Whether a fault is the file's own, so that a new file would not have it."""
    if not isinstance(fault, sqlite3.DatabaseError):
        return False
    momentary = any(word in str(fault) for word in TEMPORARY_ERRORS)
    return not (isinstance(fault, sqlite3.OperationalError) and momentary)


def _reason(fault: Exception) -> str:
    """What is wrong, in a few words and without the path, which stands before it."""
    return str(getattr(fault, "strerror", None) or fault or type(fault).__name__)


def make_private_folder(folder: Path) -> None:
    """Make a folder, and missing ones above it, that only the user can read."""
    if not folder.is_dir():
        for place in (*reversed(folder.parents), folder):
            if not place.is_dir():
                place.mkdir(PRIVATE_FOLDER, exist_ok=True)


def default_cache() -> AnalysisCache | None:
    """The user's cache: where CAPTIOUS_CACHE says, or in the system's folder for caches."""
    where = os.environ.get(FOLDER_VARIABLE, "")
    if where.lower() in ("off", "0", "no"):
        return None
    if where:
        return AnalysisCache(where)
    from platformdirs import user_cache_path

    folder = user_cache_path("captious", appauthor=False)
    # A user without a home has no such folder: `~` stands there as it is.
    return AnalysisCache(folder) if folder.is_absolute() else None


def secret_path() -> Path:
    """Where the user's key is: where CAPTIOUS_CACHE_KEY says, or in the user's folder for data."""
    named = os.environ.get(KEY_VARIABLE, "")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    folder = user_data_path("captious", appauthor=False)
    if not folder.is_absolute():  # a user without a home
        raise OSError(f"no folder for its key; name a file in {KEY_VARIABLE}")
    return folder / "cache.key"


def read_secret(path: Path) -> bytes:
    """The key in a file that only its owner can read and write; one that is missing is made."""
    try:
        try:
            return _read_private(path)
        except FileNotFoundError:
            make_private_folder(path.parent)
            _write_private(path, os.urandom(SECRET_BYTES))
            return _read_private(path)  # perhaps that of a process that was later than this one
    except OSError as error:
        raise OSError(f"its key, {path}: {_reason(error)}") from None


def _read_private(path: Path) -> bytes:
    def open_at_once(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe would wait

    with open(path, "rb", opener=open_at_once) as stream:
        status = os.fstat(stream.fileno())
        content = stream.read(SECRET_BYTES + 1) if stat.S_ISREG(status.st_mode) else b""
        if len(content) != SECRET_BYTES:
            raise OSError(f"not a file of {SECRET_BYTES} bytes; remove it")
        if os.name == "posix":  # elsewhere a file is as private as its folder
            if status.st_uid not in (os.geteuid(), 0):
                raise OSError("belongs to another user; remove it")
            if stat.S_IMODE(status.st_mode) & MODES_OF_OTHERS:
                raise OSError("others can read or write it; remove it")
        return content


def _write_private(path: Path, content: bytes) -> None:
    """Write a file whole, for its owner only; the last one to write it at the same time wins."""
    import tempfile  # takes its time, and the key is there already, all but once

    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _key(secret: bytes, analysis: str, caption: str) -> bytes:
    text = f"{analysis}\0{caption}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, key=secret, digest_size=16).digest()


def _digest(secret: bytes, key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, key=secret + key, digest_size=DIGEST_BYTES).digest()


def _file_size(path: Path) -> int:
    with suppress(OSError, ValueError):
        return path.stat().st_size
    return 0


def restore_values(
    packed_values: Mapping[str, bytes], restore: Callable[[bytes], ValueT]
) -> dict[str, ValueT]:
    """The values that can be restored; `restore` raises an error for a damaged one."""
    values: dict[str, ValueT] = {}
    for key, packed in packed_values.items():
        try:
            values[key] = restore(packed)
        except (ValueError, TypeError, LookupError, RecursionError):
            continue
    return values


def restore_vectors(
    packed_values: Mapping[str, bytes], width: int | None = None
) -> dict[str, Floats]:
    """The vectors of finite numbers, all of one width; of several widths none is trusted."""
    size = np.dtype(VECTOR_DTYPE).itemsize
    sizes = {len(packed) for packed in packed_values.values()} if width is None else {width * size}
    if len(sizes) != 1 or 0 in sizes or max(sizes) % size:
        return {}
    (expected,) = sizes
    intact = {key: packed for key, packed in packed_values.items() if len(packed) == expected}
    vectors = np.frombuffer(b"".join(intact.values()), VECTOR_DTYPE)
    vectors = vectors.reshape(len(intact), expected // size)
    is_finite = np.isfinite(vectors).all(axis=1)
    return {key: vectors[row] for row, key in enumerate(intact) if is_finite[row]}


def pack_vectors(vectors: Mapping[str, NDArray[Any]]) -> dict[str, bytes]:
    """Vectors as bytes for the cache."""
    return {key: vector.astype(VECTOR_DTYPE).tobytes() for key, vector in vectors.items()}
