"""Words that are remembered: worked out once, found again, forgotten when they are too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from captious.text.analysis import Floats
from captious.text.vectors.caption_vectors import BLOCK, WordCache, WordRows

SIZE = 6


class Asked:
    """Vectors made of a word's length, and the words that were asked for."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def __call__(self, words: Sequence[str]) -> Floats:
        self.words += words
        return np.array([[len(word)] * SIZE for word in words], np.float32)


def looked_up(placed: WordRows) -> list[list[float]]:
    """The vectors of the words, and what is said of them elsewhere checked."""
    vectors = placed.vectors[placed.rows].astype(np.float64)
    lengths, units = placed.lengths[placed.rows], placed.units[placed.rows]
    roots = np.linalg.norm(vectors, axis=1)
    assert lengths == pytest.approx(np.where(roots > 0, roots, 1))
    assert units[:, :SIZE] * lengths[:, None] == pytest.approx(vectors)
    assert units.shape[1] % BLOCK == 0
    assert not units[:, SIZE:].any()
    return [[float(number)] for number in vectors[:, 0]]


def test_each_word_is_computed_once() -> None:
    words, asked = WordCache(), Asked()
    assert looked_up(words.look_up(["dog", "a", "dog"], asked)) == [[3], [1], [3]]
    assert looked_up(words.look_up(["giraffe", "dog", ""], asked)) == [[7], [3], [0]]
    assert asked.words == ["dog", "a", "giraffe", ""]
    assert len(words.look_up([], asked).rows) == 0


def test_returned_tables_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captious.text.vectors.caption_vectors.INITIAL_ROWS", 1)
    monkeypatch.setattr("captious.text.vectors.caption_vectors.MAX_CACHED_WORDS", 5)
    words, asked = WordCache(), Asked()
    given = [["a", "bb"], ["bb", "ccc"], ["dddd", "eeeee"], ["ffffff", "bb"], [*"uvwxyz"], ["a"]]
    placed = [words.look_up(some, asked) for some in given]
    expected = [[[len(word)] for word in some] for some in given]
    assert [looked_up(each) for each in placed] == expected
    assert asked.words.count("bb") == 2  # forgotten once
    assert asked.words.count("ccc") == 1
