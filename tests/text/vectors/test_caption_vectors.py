"""Caption vectors: words, pieces of unknown words, captions, centroids."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.analysis import Analysis, Floats
from captious.text.vectors.caption_vectors import (
    BLOCK,
    PIECE,
    CaptionSpace,
    WordCache,
    WordRows,
    caption_vectors,
    centroids,
    character_ngrams,
)
from captious.text.vectors.word_vectors import WordVectors


@pytest.fixture
def space() -> CaptionSpace:
    words = ["a", "dog", "cat", "runs", f"{PIECE}<do", f"{PIECE}gg>"]
    values = np.array([[0.1, 0.0], [2.0, 0.0], [0.0, 3.0], [1.0, 1.0], [2.0, 0.0], [0.0, 4.0]])
    return CaptionSpace(WordVectors.of("made up", words, values.astype(np.float32)))


def test_pieces_mark_beginning_and_end() -> None:
    assert character_ngrams("dog") == ["<do", "dog", "og>", "<dog", "dog>", "<dog>"]
    assert character_ngrams("") == []


def test_words_have_their_own_vector_or_the_mean_of_their_pieces(space: CaptionSpace) -> None:
    found = space.of_words(["dog", "dogg", "zebra"])
    assert found.tolist() == [[2.0, 0.0], [1.0, 2.0], [0.0, 0.0]]


def test_a_caption_is_the_sum_of_its_words_at_length_one(space: CaptionSpace) -> None:
    captions = ["a dog", "dog cat", "", "zebra", "a dog a dog"]
    found = caption_vectors(Analysis(captions), space, np.arange(5))
    root = np.sqrt(13)
    expected = [[1, 0], [2 / root, 3 / root], [0, 0], [0, 0], [1, 0]]
    assert found == pytest.approx(np.array(expected), abs=1e-6)


def test_vectors_do_not_depend_on_rows_or_blocks(
    space: CaptionSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions = [f"{word} {other}" for word in ("dog", "cat", "a") for other in ("runs", "", "dog")]
    analysis = Analysis(list(dict.fromkeys(captions)))
    every = np.arange(len(analysis.captions))
    found = caption_vectors(analysis, space, every)
    monkeypatch.setattr("captious.text.vectors.caption_vectors.BLOCK_CAPTIONS", 2)
    again = caption_vectors(analysis, space, every[::-1])[::-1]
    assert found.tolist() == again.tolist()


def test_vectors_are_the_same_with_and_without_a_base(space: CaptionSpace) -> None:
    base = Analysis(["a dog runs"])
    candidates = Analysis(["a cat runs", "a dog runs"], base=base)
    alone = caption_vectors(Analysis(["a cat runs", "a dog runs"]), space, np.arange(2))
    assert caption_vectors(candidates, space, np.arange(2)).tolist() == alone.tolist()


def test_a_centroid_leaves_out_captions_without_a_place() -> None:
    vectors = np.array([[1, 0], [0, 0], [0, 1], [1, 0]], np.float32)
    found = centroids(vectors, np.array([0, 2, 4, 4]))
    half = np.sqrt(0.5)
    assert found == pytest.approx(np.array([[1, 0], [half, half], [0, 0]]), abs=1e-6)


def test_the_shipped_space_knows_its_words() -> None:
    space = CaptionSpace.load()
    dog, puppy, car, misspelt = space.of_words(["dog", "puppy", "car", "skatebaord"])
    skateboard = space.of_words(["skateboard"])[0]

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine(dog, puppy) > cosine(dog, car) + 0.3
    assert cosine(misspelt, skateboard) > cosine(misspelt, dog)
    lengths = np.linalg.norm(space.of_words(["a", "the", "giraffe"]), axis=1)
    assert lengths[2] > 5 * lengths[:2].max()


def test_invalid_space_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(b"no")
    with pytest.raises(InputError):
        CaptionSpace.load(tmp_path / "x.npz")


def test_a_space_whose_file_changed_is_read_again(tmp_path: Path, space: CaptionSpace) -> None:
    space.vectors.save(tmp_path / "x.npz")
    first = CaptionSpace.load(tmp_path / "x.npz")
    assert CaptionSpace.load(str(tmp_path / "x.npz")).vectors is first.vectors
    changed = WordVectors.of("made up", ["dog"], np.ones((1, 2), np.float32))
    changed.save(tmp_path / "x.npz")
    os.utime(tmp_path / "x.npz", ns=(0, 0))  # clocks of files may be too coarse to tell
    assert CaptionSpace.load(tmp_path / "x.npz").signature == changed.signature != first.signature


SIZE = 6


class CountingSource:
    """Vectors made of a word's length, and the words that were asked for."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def __call__(self, words: Sequence[str]) -> Floats:
        self.words += words
        return np.array([[len(word)] * SIZE for word in words], np.float32)


def look_up_vectors(placed: WordRows) -> list[list[float]]:
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
    words, asked = WordCache(), CountingSource()
    assert look_up_vectors(words.look_up(["dog", "a", "dog"], asked)) == [[3], [1], [3]]
    assert look_up_vectors(words.look_up(["giraffe", "dog", ""], asked)) == [[7], [3], [0]]
    assert asked.words == ["dog", "a", "giraffe", ""]
    assert len(words.look_up([], asked).rows) == 0


def test_returned_tables_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captious.text.vectors.caption_vectors.INITIAL_ROWS", 1)
    monkeypatch.setattr("captious.text.vectors.caption_vectors.MAX_CACHED_WORDS", 5)
    words, asked = WordCache(), CountingSource()
    given = [["a", "bb"], ["bb", "ccc"], ["dddd", "eeeee"], ["ffffff", "bb"], [*"uvwxyz"], ["a"]]
    placed = [words.look_up(some, asked) for some in given]
    expected = [[[len(word)] for word in some] for some in given]
    assert [look_up_vectors(each) for each in placed] == expected
    assert asked.words.count("bb") == 2  # forgotten once
    assert asked.words.count("ccc") == 1
