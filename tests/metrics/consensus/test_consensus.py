"""Consensus: nearness to what references say together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import captious
from captious.metrics.consensus import consensus
from captious.metrics.consensus.consensus import Consensus
from captious.text.vectors.caption_vectors import PIECE
from captious.text.vectors.word_vectors import WordVectors


@pytest.fixture
def space(tmp_path: Path) -> Path:
    words = ["dog", "cat", "runs", f"{PIECE}<zz"]
    values = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 1.0]], np.float32)
    path = tmp_path / "space.npz"
    WordVectors.of("made up", words, values).save(path)
    return path


def score(candidates: list[str], references: list[list[str]], space: Path) -> np.ndarray:
    return captious.score(candidates, references, [Consensus(space)]).samples["consensus"]


def test_the_cosine_to_the_centroid(space: Path) -> None:
    half = np.sqrt(0.5)
    found = score(
        ["dog", "dog", "cat", "dog cat"], [["dog"], ["dog", "cat"], ["dog"], ["runs"]], space
    )
    assert found == pytest.approx([1.0, half, 0.0, 1.0])


def test_captions_without_a_place(space: Path) -> None:
    found = score(["", "?", "dog", "dog", ""], [["dog"], ["dog"], [""], ["", "dog"], [""]], space)
    assert found == pytest.approx([0.0, 0.0, 0.0, 1.0, 0.0])
    found = score(["é é", "é é", "é"], [["dog", "é é"], ["dog", "é"], ["é"]], space)
    assert found == pytest.approx([1.0, 0.0, 1.0])  # nothing known of é, but it is the same


def test_the_order_of_words_does_not_matter() -> None:
    references = [["a man bites a big brown dog in the park", "the dog runs from two men"]] * 2
    candidates = ["a brown dog bites the old man there", "the old man there bites a brown dog"]
    one, other = captious.score(candidates, references, [Consensus()]).samples["consensus"]
    assert one == other


def test_many_images_are_scored_without_keeping_centroids(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidates = ["dog", "cat", "runs", "dog runs"] * 3
    references = [["dog", "runs"], ["cat"], ["dog", "cat"], ["runs", ""]] * 3
    kept = score(candidates, references, space)
    monkeypatch.setattr(consensus, "MOST_IMAGES", 0)
    monkeypatch.setattr(consensus, "IMAGES_AT_ONCE", 5)
    assert score(candidates, references, space).tolist() == kept.tolist()


def test_the_signature_names_the_space(space: Path) -> None:
    result = captious.score(["dog"], [["dog"]], [Consensus(space)])
    assert f"consensus(space={space.name}@" in result.signature


def test_what_people_would_say() -> None:
    references = [["a brown dog runs on the beach", "the dog is running near the water"]] * 3
    candidates = ["a dog running along the shore", "a cat sleeps on a sofa", "a dog in a car"]
    good, bad, half = captious.score(candidates, references, [Consensus()]).samples["consensus"]
    assert good > half > bad
