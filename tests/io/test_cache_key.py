"""A cache that others wrote changes no score: entries are signed with a key of the user's own."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.errors import CaptiousWarning
from captious.io.cache import KEY_VARIABLE, AnalysisCache, read_secret, secret_path
from tests.io.test_cache_faults import posix

CANDIDATES, REFERENCES = ["a dog runs on grass"], [["two cats sleep on a bed"]]


def spice() -> float:
    return captious.score(CANDIDATES, REFERENCES, ["spice"]).corpus["spice"]


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the keys of several users, who have a cache in common."""
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(KEY_VARIABLE, str(tmp_path / "user.key"))
    return tmp_path


def test_forged_cache_changes_no_score(users: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others can write any value for any caption, but only with a key of their own."""
    put = AnalysisCache.put
    first: dict[str, bytes] = {}

    def forge(self: AnalysisCache, analysis: str, values: Mapping[str, bytes]) -> None:
        value = first.setdefault(analysis, next(iter(values.values())))
        put(self, analysis, dict.fromkeys(values, value))

    with monkeypatch.context() as others:
        others.setenv(KEY_VARIABLE, str(users / "other.key"))
        others.setattr(AnalysisCache, "put", forge)
        honest = spice()
        assert spice() == 1.0 > honest
    assert spice() == honest  # of what the others wrote, into the same file
    assert spice() == honest  # of what was written now


def test_value_moved_to_another_caption_is_not_trusted(users: Path) -> None:
    cache = AnalysisCache(users / "cache")
    cache.put("a", {"x": b"1", "y": b"2"})
    with sqlite3.connect(cache.path) as connection:
        (value,) = connection.execute("SELECT value FROM analyses WHERE number = 1").fetchone()
        connection.execute("UPDATE analyses SET value = ? WHERE number = 2", [value])
    connection.close()
    assert cache.get("a", ["x", "y"]) == {"x": b"1"}


def test_users_of_one_file_do_not_replace_the_entries_of_others(
    users: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = AnalysisCache(users / "cache")
    for user in ("one", "two", "one"):
        monkeypatch.setenv(KEY_VARIABLE, str(users / user))
        cache.put("a", {"x": user.encode()})
    for user in ("one", "two"):
        monkeypatch.setenv(KEY_VARIABLE, str(users / user))
        assert cache.get("a", ["x"]) == {"x": user.encode()}
    assert cache.info().entries == {"a": 2}


@posix
def test_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "cache.key"
    old = os.umask(0)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(read_secret, [path] * 8))
    finally:
        os.umask(old)
    assert len(read_secret(path)) == 32 and read_secret(path) == read_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


@posix
@pytest.mark.parametrize("kind", ["readable", "writable", "short", "long", "pipe", "folder"])
def test_key_that_others_may_know_is_not_used(users: Path, kind: str) -> None:
    path = users / "user.key"
    path.write_bytes(bytes({"short": 31, "long": 33}.get(kind, 32)))
    path.chmod({"readable": 0o640, "writable": 0o620}.get(kind, 0o600))
    if kind in ("pipe", "folder"):
        path.unlink()
        (os.mkfifo if kind == "pipe" else os.mkdir)(path)
    cache = AnalysisCache(users / "cache")
    with pytest.warns(CaptiousWarning, match=r"user\.key: .*going on without") as said:
        cache.put("a", {"x": b"1"})
    assert len(said) == 1
    assert spice() == pytest.approx(spice())


@posix
def test_key_of_another_user_is_not_used(users: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = AnalysisCache(users / "cache")
    cache.put("a", {"x": b"1"})
    if (users / "user.key").stat().st_uid == 0:
        os.chown(users / "user.key", 12345, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    with pytest.warns(CaptiousWarning, match=r"user\.key: belongs to another user"):
        assert cache.get("a", ["x"]) == {}


def test_key_is_in_the_users_folder_and_not_beside_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *a, **b: tmp_path / "data")
    assert secret_path() == tmp_path / "data" / "cache.key"
    monkeypatch.setattr("platformdirs.user_data_path", lambda *a, **b: Path("~/data"))
    with pytest.warns(CaptiousWarning, match=KEY_VARIABLE):
        AnalysisCache(tmp_path / "cache").put("a", {"x": b"1"})


def test_a_vector_in_a_forged_cache_is_not_taken(users: Path) -> None:
    cache = AnalysisCache(users / "cache")
    cache.put("v", {"x": np.ones(3, np.float32).tobytes()})
    (users / "user.key").unlink()  # a new key: what was written with the old one is not known
    assert cache.get("v", ["x"]) == {}
