"""A cache on disk for analyses that cost: parses, later vectors, by caption and model.

One SQLite file: several processes may fill it at once, and one that is killed loses its own last
work and nothing else. What is read is checked; what does not check is analysed again.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from captious.errors import CaptiousWarning

Given = TypeVar("Given")

VERSION = 1
FOLDER_VARIABLE = "CAPTIOUS_CACHE"  # a folder, or `off`
LIMIT = 1 << 30  # bytes; the oldest entries go when the file is larger
KEYS_AT_ONCE = 500  # in one query: SQLite takes a limited number of parameters
DIGEST = 8  # bytes in front of every value, to know it by
SECONDS_TO_WAIT = 30.0  # while other processes write


@dataclass(frozen=True)
class CacheInfo:
    """What a cache holds."""

    path: str
    bytes: int
    entries: dict[str, int]


class AnalysisCache:
    """Values of bytes, by the name of an analysis (with its model's hash) and a caption."""

    def __init__(self, folder: str | Path, limit: int = LIMIT) -> None:
        self.folder = Path(folder)
        self.limit = limit
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[AnalysisCache], tuple[Path, int]]:
        return (AnalysisCache, (self.folder, self.limit))

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / "analyses.sqlite3"

    def get(self, analysis: str, captions: Sequence[str]) -> dict[str, bytes]:
        """The values that are known for these captions."""
        names = {_key(analysis, caption): caption for caption in captions}

        def read(connection: sqlite3.Connection) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            for keys in _in_parts(list(names)):
                places = ",".join("?" * len(keys))
                query = f"SELECT key, value FROM analyses WHERE key IN ({places})"
                for key, value in connection.execute(query, keys):
                    # A damaged entry is as good as none.
                    if value[:DIGEST] == _digest(key, value[DIGEST:]):
                        found[names[key]] = value[DIGEST:]
            return found

        return self._use(read, {}) if self.path.exists() else {}

    def put(self, analysis: str, values: Mapping[str, bytes]) -> None:
        """Keep values for captions; an entry that is there already is written anew."""
        keyed = {_key(analysis, caption): value for caption, value in values.items()}

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR REPLACE INTO analyses (key, analysis, value) VALUES (?, ?, ?)",
                [(key, analysis, _digest(key, value) + value) for key, value in keyed.items()],
            )
            self._shrink(connection)
            connection.execute("COMMIT")

        self._use(write, None)

    def info(self) -> CacheInfo:
        """Where the cache is, how large, and how many entries each analysis has."""

        def count(connection: sqlite3.Connection) -> dict[str, int]:
            query = "SELECT analysis, COUNT(*) FROM analyses GROUP BY analysis ORDER BY 1"
            return {name.decode(): number for name, number in connection.execute(query)}

        none: dict[str, int] = {}
        entries = self._use(count, none) if self.path.exists() else none
        return CacheInfo(str(self.path), sum(map(_size, self._files())), entries)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            for path in self._files():
                path.unlink(missing_ok=True)

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

    def _use(self, work: Callable[[sqlite3.Connection], Given], otherwise: Given) -> Given:
        """What the work gives; whatever is wrong with the cache costs its use, never a score."""
        try:
            with self._lock:
                self.folder.mkdir(parents=True, exist_ok=True)
                connection = self._open()
            with closing(connection):
                return work(connection)
        except (OSError, sqlite3.Error) as error:
            # Trouble of the moment (locked, no room) is an OperationalError; all else is damage.
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(
                error, sqlite3.OperationalError
            ):
                self.clear()
            warnings.warn(
                f"{self.path}: the cache of analyses cannot be used now ({error}); "
                "going on without",
                CaptiousWarning,
                stacklevel=4,
            )
            return otherwise

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, SECONDS_TO_WAIT, isolation_level=None)
        connection.text_factory = bytes  # a damaged text must not fail to decode
        try:
            if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                # Another process may have been faster.
                if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                    connection.execute("DROP TABLE IF EXISTS analyses")
                    connection.execute(
                        "CREATE TABLE analyses (number INTEGER PRIMARY KEY AUTOINCREMENT, "
                        "key BLOB UNIQUE NOT NULL, analysis TEXT NOT NULL, value BLOB NOT NULL)"
                    )
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute("COMMIT")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection


def default_cache() -> AnalysisCache | None:
    """The user's cache: where CAPTIOUS_CACHE says, or in the system's folder for caches."""
    where = os.environ.get(FOLDER_VARIABLE, "")
    if where.lower() in ("off", "0", "no"):
        return None
    if where:
        return AnalysisCache(where)
    from platformdirs import user_cache_path

    return AnalysisCache(user_cache_path("captious", appauthor=False))


def _key(analysis: str, caption: str) -> bytes:
    text = f"{analysis}\0{caption}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()


def _digest(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, key=key, digest_size=DIGEST).digest()


def _in_parts(keys: list[bytes]) -> Iterable[list[bytes]]:
    return (keys[start : start + KEYS_AT_ONCE] for start in range(0, len(keys), KEYS_AT_ONCE))


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
