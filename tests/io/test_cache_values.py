"""Values in a cache that no analysis gave: they are made again, and sound ones restored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.io.cache import AnalysisCache, pack_vectors, restore_values, restore_vectors
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses
from captious.text.scene.scene_tuples import SceneTuples

CAPTIONS = ["a dog runs on grass", "two cats sleep"]
POISON = [b"", b"\xff", b"null", b"7", b'"text"', b"{}", b"[[]]", b"[7]", b"[[7]]", b"[[[7]]]"]
POISON += [b'[["a","b","c","d"]]', b"[" * 100_000, b'[[["a"],["NN"],["a"],[9],["root"]]]']
POISON += [b'[[["a"],["NN"],["a"],["0"],["root"]]]', b'[[["a"],["NN"],["a"],[true],["root"]]]']
POISON += [b'[[["a","b"],["NN"],["a"],[0],["root"]]]', b'[[["a"],[null],["a"],[0],["root"]]]']


class Poisoned:
    """A cache file in which every entry has the same, wrong value."""

    def __init__(self, value: bytes | None) -> None:
        self.value = value
        self.kept: dict[str, Any] = {}

    def get(self, analysis: str, captions: list[str]) -> Mapping[str, bytes | None]:
        return dict.fromkeys(captions, self.value)

    def put(self, analysis: str, values: dict[str, bytes]) -> None:
        self.kept |= values


@pytest.mark.slow
@pytest.mark.parametrize("layer", [Parses, SceneTuples])
@pytest.mark.parametrize("value", POISON)
def test_invalid_cached_parse_is_parsed_again(layer: type[Any], value: bytes) -> None:
    cache: Any = Poisoned(value)
    sound = Analysis(CAPTIONS).layer(layer)
    assert Analysis(CAPTIONS, cache=cache).layer(layer) == sound
    assert cache.kept


def test_parses_are_restored_unchanged(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    for layer in (Parses, SceneTuples):
        first = Analysis(CAPTIONS, cache=cache).layer(layer)
        assert Analysis(CAPTIONS, cache=cache).layer(layer) == first
    assert set(cache.info().entries.values()) == {2}


def vectors_from(found: dict[str, bytes], width: int | None = None, made: int = 3) -> list[str]:
    class Cache(Poisoned):
        def get(self, analysis: str, captions: list[str]) -> dict[str, bytes]:
            return {caption: found[caption] for caption in captions if caption in found}

    cache: Any = Cache(None)
    analysis = Analysis(["a", "b", "c"], cache=cache)

    def compute(rows: list[int]) -> np.ndarray:
        return np.array([[row] * made for row in rows], np.float32)

    vectors = analysis.load_or_compute_vectors("v", compute, range(3), width)
    assert vectors.tolist() == [[row] * made for row in range(3)]
    return sorted(cache.kept)


SOUND = pack_vectors({name: np.full(3, row) for row, name in enumerate("abc")})


@pytest.mark.parametrize(
    "wrong",
    [b"", b"1", b"12345", bytes(8), bytes(16), np.array([np.nan] * 3, np.float32).tobytes()],
    ids=["none", "one", "five", "narrow", "wide", "no numbers"],
)
def test_invalid_cached_vectors_are_recomputed(wrong: bytes) -> None:
    assert vectors_from(SOUND) == []
    assert "b" in vectors_from(SOUND | {"b": wrong})
    assert vectors_from(SOUND | {"b": wrong}, width=3) == ["b"]
    assert vectors_from(dict.fromkeys("abc", wrong), width=3) == ["a", "b", "c"]
    assert vectors_from({"b": wrong}) == ["a", "b", "c"]


def test_restored_values() -> None:
    assert restore_values({"a": b"1", "b": b"x"}, json.loads) == {"a": 1}
    assert restore_vectors({}) == restore_vectors({}, 3) == {}
