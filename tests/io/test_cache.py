"""The cache on disk under faults: it may lose work, never give a wrong value."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from captious.errors import CaptiousWarning
from captious.io.cache import AnalysisCache, default_cache
from tests.places import ROOT


def value_of(caption: str) -> bytes:
    return f"analysis of {caption}".encode("utf-8", "surrogatepass") * 5


@pytest.fixture
def cache(tmp_path: Path) -> AnalysisCache:
    return AnalysisCache(tmp_path / "cache")


def test_values_are_found_by_analysis_and_caption(cache: AnalysisCache) -> None:
    captions = [f"caption {number} \ud800" for number in range(1500)]
    cache.put("parse@1", {caption: value_of(caption) for caption in captions})
    assert cache.get("parse@1", captions) == {c: value_of(c) for c in captions}
    assert cache.get("parse@2", captions) == {}
    assert cache.info().entries == {"parse@1": 1500}
    cache.clear()
    assert cache.get("parse@1", captions) == {} and cache.info().bytes == 0


def test_damaged_value_is_ignored(cache: AnalysisCache) -> None:
    cache.put("a", {"x": b"right", "y": b"right"})
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE analyses SET value = value || 'wrong' WHERE number = 1")
    connection.close()
    assert cache.get("a", ["x", "y"]) == {"y": b"right"}
    cache.put("a", {"x": b"new"})
    assert cache.get("a", ["x"]) == {"x": b"new"}


@pytest.mark.parametrize("damage", ["not a database", "zeros in the middle", "cut off"])
def test_damaged_cache_file_is_replaced(cache: AnalysisCache, damage: str) -> None:
    cache.put("a", {str(number): value_of(str(number)) for number in range(500)})
    data = cache.path.read_bytes()
    for path in cache.folder.iterdir():
        path.unlink()
    half = len(data) // 2
    cache.path.write_bytes(
        {
            "not a database": b"nonsense" * 1000,
            "zeros in the middle": data[:200] + bytes(half) + data[200 + half :],
            "cut off": data[:half],
        }[damage]
    )
    captions = list(map(str, range(500)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CaptiousWarning)
        found = cache.get("a", captions)
        for _ in range(2):  # the first use may be the one that finds the damage
            cache.put("a", {"new": b"value"})
    found |= cache.get("a", ["new"])
    assert found.pop("new") == b"value"
    assert all(value == value_of(caption) for caption, value in found.items())


def test_cache_of_another_version_is_replaced(cache: AnalysisCache) -> None:
    cache.put("a", {"x": b"old"})
    connection = sqlite3.connect(cache.path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert cache.get("a", ["x"]) == {}
    cache.put("a", {"x": b"new"})
    assert cache.get("a", ["x"]) == {"x": b"new"}


@pytest.mark.slow
def test_oldest_entries_are_dropped_when_the_cache_is_full(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path, limit=500_000)
    for batch in range(40):
        cache.put("a", {f"{batch} {number}": b"x" * 1000 for number in range(50)})
    assert cache.info().bytes < 2_000_000
    assert cache.get("a", ["39 49"]) and not cache.get("a", ["0 0"])


def test_a_folder_that_cannot_be_written_is_only_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = AnalysisCache(tmp_path / "file")
    with pytest.warns(CaptiousWarning, match="going on without"):
        cache.put("a", {"x": b"1"})
    assert cache.get("a", ["x"]) == {}


def test_the_environment_names_the_folder_or_turns_it_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", "off")
    assert default_cache() is None
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path))
    cache = default_cache()
    assert cache is not None and cache.folder == tmp_path


KILLS, AT_ONCE = 24, 4
# As value_of has it; importing pytest in every process would take most of the time.
FILL = """
import random, sys
from captious.io.cache import AnalysisCache
def value_of(caption):
    return f"analysis of {caption}".encode() * 5
cache, seed = AnalysisCache(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
print("ready", flush=True)
while True:
    captions = [f"caption {random.randrange(3000)}" for _ in range(200)]
    for caption, value in cache.get("parse", captions).items():
        assert value == value_of(caption), "a wrong value"
    cache.put("parse", {caption: value_of(caption) for caption in captions})
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_killed_at_random_moments_while_four_processes_fill_it(tmp_path: Path) -> None:
    random.seed(5)

    def start(seed: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-W", "error", "-c", FILL, str(tmp_path), str(seed)]
        return subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    processes = [start(seed) for seed in range(AT_ONCE)]
    for kill in range(KILLS):
        victim = processes.pop(0)
        assert victim.stdout is not None and victim.stderr is not None
        assert victim.stdout.readline() == "ready\n", victim.stderr.read()
        time.sleep(random.random() * 0.05)
        assert victim.poll() is None, victim.stderr.read()
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        if kill < KILLS - AT_ONCE:
            processes.append(start(100 + kill))
    captions = [f"caption {number}" for number in range(3000)]
    found = AnalysisCache(tmp_path).get("parse", captions)
    assert found == {caption: value_of(caption) for caption in found}
    assert len(found) > 1000
