"""A cache never costs a score: every fault is one warning, and what can be healed is healed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.cli.main import main
from captious.errors import CaptiousWarning, OutputError
from captious.io import cache as cache_module
from captious.io.cache import (
    AnalysisCache,
    default_cache,
    make_private_folder,
)

CANDIDATES = ["a dog runs on grass", "two cats sleep"]
REFERENCES = [["a brown dog runs", "the dog is on the grass"], ["cats are sleeping"]]

posix = pytest.mark.skipif(os.name != "posix", reason="kinds of files that only POSIX has")


def spices() -> list[float]:
    return list(map(float, captious.score(CANDIDATES, REFERENCES, ["spice"]).samples["spice"]))


@pytest.fixture
def expected(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    monkeypatch.setenv("CAPTIOUS_CACHE", "off")
    return spices()


def faulty_folder(kind: str, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    if kind == "a file":
        folder.write_text("")
    elif kind == "through a file":
        (tmp_path / "file").write_text("")
        folder = tmp_path / "file" / "cache"
    elif kind == "a long name":
        folder = tmp_path / ("x" * 4000)
    elif kind == "a loop of links":
        folder.symlink_to(tmp_path / "other")
        (tmp_path / "other").symlink_to(folder)
    elif kind == "a folder as file":
        (folder / "analyses.sqlite3" / "in it").mkdir(parents=True)
    elif kind == "a pipe as file":
        folder.mkdir()
        os.mkfifo(folder / "analyses.sqlite3")
    elif kind == "a device as file":
        folder.mkdir()
        (folder / "analyses.sqlite3").symlink_to("/dev/zero")
    elif kind == "a folder as journal":
        (folder / "analyses.sqlite3-wal").mkdir(parents=True)
    return folder


KINDS = ["a file", "through a file", "a long name", "a loop of links", "a folder as file"]
KINDS += ["a pipe as file", "a device as file", "a folder as journal"]


@pytest.mark.slow
@posix
@pytest.mark.parametrize("kind", KINDS)
def test_unusable_cache_path_is_one_warning(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: list[float]
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(faulty_folder(kind, tmp_path)))
    with pytest.warns(CaptiousWarning, match="going on without") as said:
        assert spices() == expected
    assert len(said) == 1
    assert spices() == expected  # a second warning would be an error here


@posix
@pytest.mark.parametrize("kind", KINDS[:-1])
@pytest.mark.parametrize("action", ["info", "clear"])
def test_cache_command_reports_faults_in_one_line(
    kind: str,
    action: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(faulty_folder(kind, tmp_path)))
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        code = main(["cache", action])
    said = capsys.readouterr().err.strip()
    assert code in (0, 2) and said.count("\n") == 0
    assert said or action == "clear"


def test_no_permission_is_only_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: list[float]
) -> None:
    def refuse(*args: Path, **kwargs: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path))
    monkeypatch.setattr("pathlib.Path.stat", refuse)
    with pytest.warns(CaptiousWarning, match="Permission denied") as said:
        assert spices() == expected
    assert len(said) == 1


def test_a_damaged_file_that_cannot_be_removed_is_only_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: list[float]
) -> None:
    def refuse(*args: Path, **kwargs: Any) -> None:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path))
    (tmp_path / "analyses.sqlite3").write_bytes(b"nonsense" * 1000)
    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    with pytest.warns(CaptiousWarning, match="Read-only") as said:
        assert spices() == expected
    assert len(said) == 1
    cache = default_cache()
    assert cache is not None
    with pytest.raises(OutputError, match="cannot be emptied"):
        cache.clear()


def test_a_folder_that_vanishes_is_made_again(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path / "cache")
    cache.put("a", {"x": b"1"})
    shutil.rmtree(cache.folder)
    assert cache.get("a", ["x"]) == {}
    cache.put("a", {"x": b"2"})
    assert cache.get("a", ["x"]) == {"x": b"2"}


def change_cache(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


OTHER_TABLES = [
    ["DROP TABLE analyses"],
    ["ALTER TABLE analyses RENAME COLUMN value TO worth"],
    ["ALTER TABLE analyses ADD COLUMN more"],
    ["DROP TABLE analyses", "CREATE TABLE analyses (key, value)"],
    ["DROP TABLE analyses", "CREATE VIEW analyses AS SELECT 1 AS key, 2 AS value"],
    ["CREATE TRIGGER t AFTER INSERT ON analyses BEGIN DELETE FROM analyses; END"],
    ["CREATE TABLE others (x)"],
    ["PRAGMA user_version = 0"],
    ["PRAGMA user_version = 1"],
    ["PRAGMA user_version = -7"],
]


@pytest.mark.parametrize("statements", OTHER_TABLES)
def test_other_tables_are_replaced_at_once(tmp_path: Path, statements: list[str]) -> None:
    cache = AnalysisCache(tmp_path)
    cache.put("a", {"x": b"old"})
    change_cache(cache.path, *statements)
    assert cache.get("a", ["x"]) == {}
    cache.put("a", {"x": b"new"})
    assert cache.get("a", ["x"]) == {"x": b"new"} and cache.info().entries == {"a": 1}


def test_damaged_cache_is_replaced_with_one_warning(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    for warned in (1, 0):
        cache.path.write_bytes(b"nonsense" * 1000)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            cache.put("a", {"x": b"1"})
            assert cache.get("a", ["x"]) == {"x": b"1"}
        assert len(said) == warned
        cache.clear()


@pytest.mark.parametrize(
    "value", ["NULL", "7", "1.5", "'text'", "x''", "x'00'", "zeroblob(100000)"]
)
def test_odd_cache_values_are_ignored(tmp_path: Path, value: str) -> None:
    cache = AnalysisCache(tmp_path)
    cache.put("a", {"x": b"1", "y": b"2"})
    change_cache(cache.path, f"UPDATE OR IGNORE analyses SET value = {value} WHERE number = 1")
    known = {"y": b"2"} | ({"x": b"1"} if value == "NULL" else {})
    assert cache.get("a", ["x", "y"]) == known


def test_undecodable_analysis_name_has_a_replacement_character(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    cache.put("a", {"x": b"1"})
    change_cache(cache.path, "UPDATE analyses SET analysis = x'ff61'")
    assert cache.info().entries == {"\ufffda": 1}


def test_row_without_an_analysis_name_is_counted(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    cache.put("a", {"x": b"1"})
    for before, after in (("TEXT NOT NULL", "TEXT"), ("analysis TEXT", "analysis TEXT NOT NULL")):
        change_cache(
            cache.path,
            "PRAGMA writable_schema = ON",
            f"UPDATE sqlite_master SET sql = replace(sql, '{before}', '{after}')",
        )
        change_cache(cache.path, "UPDATE OR IGNORE analyses SET analysis = NULL")
    assert cache.info().entries == {"": 1}


@pytest.mark.slow
def test_a_byte_anywhere_in_the_file_may_be_wrong(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path / "cache")
    captions = [str(number) for number in range(40)]
    cache.put("a", {caption: caption.encode() * 9 for caption in captions})
    sound = cache.path.read_bytes()
    rng = np.random.default_rng(4)
    places = [*range(100), *rng.integers(100, len(sound), 100)]
    for place in places:
        damaged = bytearray(sound)
        damaged[place] ^= int(rng.integers(1, 256))
        cache.clear()
        cache.path.write_bytes(damaged)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaptiousWarning)
            found = cache.get("a", captions)
            cache.put("a", {"new": b"value"})
            found |= cache.get("a", ["new"])
        assert found.pop("new") == b"value"
        assert all(value == caption.encode() * 9 for caption, value in found.items())


def test_full_disk_changes_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: list[float]
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path))
    cache = AnalysisCache(tmp_path)
    cache.put("a", {"x": b"1"})

    def full(self: AnalysisCache, connection: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # no more than there are
        connection.execute("INSERT INTO analyses VALUES (NULL, x'01', 'a', zeroblob(1000000))")

    monkeypatch.setattr(AnalysisCache, "_shrink", full)
    with pytest.warns(CaptiousWarning, match="full"):
        assert spices() == expected
    assert cache.get("a", ["x"]) == {"x": b"1"}  # no damage: what was there stays


def test_lock_timeout_is_waited_for_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "LOCK_TIMEOUT_S", 0.01)
    waits = []
    connect = sqlite3.connect

    def spy(path: str, wait: float, **more: Any) -> Any:
        waits.append(wait)
        return connect(path, wait, **more)

    monkeypatch.setattr(sqlite3, "connect", spy)
    cache = AnalysisCache(tmp_path)
    cache.put("a", {"x": b"1"})
    other = connect(cache.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.warns(CaptiousWarning, match="locked"):
        cache.put("a", {"x": b"2"})
    cache.put("a", {"x": b"2"})
    other.close()
    assert waits == [0.01, 0.01, 0.0]
    assert cache.get("a", ["x"]) == {"x": b"1"}


@posix
def test_cache_files_are_private(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        cache = AnalysisCache(tmp_path / "new" / "cache")
        cache.put("a", {"x": b"1"})
        connection = sqlite3.connect(cache.path)
        connection.execute("SELECT * FROM analyses").fetchall()
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in cache.folder.iterdir()}
        connection.close()
    finally:
        os.umask(old)
    assert set(modes.values()) == {0o600} and "analyses.sqlite3-wal" in modes
    for folder in (cache.folder, cache.folder.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@posix
def test_existing_folders_keep_their_modes(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    make_private_folder(folder)
    AnalysisCache(folder).put("a", {"x": b"1"})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CAPTIOUS_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *a, **b: tmp_path / "c")
    assert default_cache() is not None
    monkeypatch.setattr(
        "platformdirs.user_cache_path", lambda *a, **b: type(tmp_path)("~/.cache/captious")
    )
    assert default_cache() is None


def test_threads_that_meet_damage_at_once_heal_it_together(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    cache.path.write_bytes(b"nonsense" * 1000)

    def use(number: int) -> None:
        own = AnalysisCache(tmp_path)
        for turn in range(5):
            own.put("a", {f"{number} {turn}": b"%d" % number})
            found = own.get("a", [f"{other} {turn}" for other in range(8)])
            assert all(int(value) == int(name.split()[0]) for name, value in found.items())

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CaptiousWarning)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(use, range(8)))
    assert cache.get("a", ["7 4", "0 4"]) == {"7 4": b"7", "0 4": b"0"}
