"""The cache of analyses, damaged: it costs its use, never a score."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from pathlib import Path
from random import Random

import captious
from captious.io.cache import FOLDER_VARIABLE
from tests.fuzz.damage import damage_bytes
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kind import Kind
from tests.fuzz.oracle import Fault

CAPTION, REFERENCES = "a brown dog on a bench", ["a dog sits on a bench", "the dog"]
FILE = "kept/analyses.sqlite3"
STATEMENTS = (
    "DROP TABLE analyses",
    "DELETE FROM analyses",
    "UPDATE analyses SET value = x'00'",
    "UPDATE analyses SET value = 'text'",
    "UPDATE analyses SET value = 7",
    "UPDATE analyses SET value = x''",
    "UPDATE analyses SET analysis = x'ff00'",
    "UPDATE analyses SET analysis = 5",
    "UPDATE analyses SET key = number",
    "UPDATE analyses SET key = 'x' || number",
    "ALTER TABLE analyses RENAME TO others",
    "ALTER TABLE analyses RENAME COLUMN value TO worth",
    "ALTER TABLE analyses DROP COLUMN analysis",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 99",
    "PRAGMA journal_mode = DELETE",
    "CREATE TABLE more (x)",
    "CREATE TRIGGER t BEFORE INSERT ON analyses BEGIN SELECT RAISE(ABORT, 'no'); END",
    "DROP TABLE analyses; CREATE VIEW analyses AS SELECT 1 AS key, 2 AS value, 3 AS analysis",
    "DROP TABLE analyses; CREATE TABLE analyses (key, analysis, value)",
)


def _score_rows() -> float:
    return captious.score([CAPTION], [REFERENCES], "spice").corpus["spice"]


def _filled_cache() -> Files:
    was = os.environ.get(FOLDER_VARIABLE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[FOLDER_VARIABLE] = folder
        try:
            _score_rows()
            with sqlite3.connect(Path(folder) / "analyses.sqlite3") as connection:
                connection.execute("PRAGMA journal_mode = DELETE")
            connection.close()
            return {FILE: (Path(folder) / "analyses.sqlite3").read_bytes()}
        finally:
            if was is None:
                del os.environ[FOLDER_VARIABLE]
            else:
                os.environ[FOLDER_VARIABLE] = was


def damage_cache(name: str, content: bytes, random: Random) -> bytes:
    """Damaged bytes, or, from Python 3.11 on, a database that another program has been at."""
    if random.random() < 0.6 or sys.version_info < (3, 11):
        return damage_bytes(content, random)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(content)
    for _ in range(random.choice((1, 1, 2))):
        try:
            connection.executescript(random.choice(STATEMENTS))
        except sqlite3.Error:
            continue  # what an earlier statement left no room for
    return connection.serialize()


def _check_same_score(folder: Path) -> None:
    """A score with the damaged cache, and one with what was made of it: both as without any."""
    expected = captious.score([CAPTION], [REFERENCES], "spice", cache=False).corpus["spice"]
    for time in ("first", "second"):
        found = _score_rows()
        if found != expected:
            raise Fault(f"another score from the cache the {time} time", f"{found} {expected}")
    # SQLite's own files beside the cache's are no litter.
    for path in (folder / "kept").iterdir():
        if path.name not in ("analyses.sqlite3", "analyses.sqlite3-wal", "analyses.sqlite3-shm"):
            raise Fault("a file beside the cache", path.name)
    for path in (folder / "kept").glob("analyses.sqlite3-*"):
        path.unlink()


KINDS: list[Kind] = [
    FileKind(
        "cache",
        0.7,
        _filled_cache,
        [
            Reader(_check_same_score),
            Command("cache info --format json", None),
            Command("cache clear --format json", None),
        ],
        damage=damage_cache,
        cache="kept",
    )
]  # fmt: skip
