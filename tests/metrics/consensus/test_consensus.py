"""Consensus: nearness to what references say together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import captious
from captious.metrics.consensus import consensus
from captious.metrics.consensus.consensus import Consensus
from tests.made_up.tiny_domain import write_domain


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    return write_domain(tmp_path / "mine.npz")


def score(candidates: list[str], references: list[list[str]], domain: Path) -> np.ndarray:
    return captious.score(candidates, references, [Consensus(domain)]).samples["consensus"]


def test_score_is_the_cosine_to_the_centroid(domain: Path) -> None:
    half = np.sqrt(0.5)
    actual = score(
        ["dog", "dog", "cat", "dog cat"], [["dog"], ["dog", "cat"], ["dog"], ["runs"]], domain
    )
    assert actual == pytest.approx([1.0, half, 0.0, 1.0])


def test_captions_without_a_vector(domain: Path) -> None:
    actual = score(["", "?", "dog", "dog", ""], [["dog"], ["dog"], [""], ["", "dog"], [""]], domain)
    assert actual == pytest.approx([0.0, 0.0, 0.0, 1.0, 0.0])
    actual = score(["é é", "é é", "é"], [["dog", "é é"], ["dog", "é"], ["é"]], domain)
    assert actual == pytest.approx([1.0, 0.0, 1.0])  # nothing known of é, but it is the same


def test_the_order_of_words_does_not_matter() -> None:
    references = [["a man bites a big brown dog in the park", "the dog runs from two men"]] * 2
    candidates = ["a brown dog bites the old man there", "the old man there bites a brown dog"]
    one, other = captious.score(candidates, references, [Consensus()]).samples["consensus"]
    assert one == other


def test_many_images_are_scored_without_keeping_centroids(
    domain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidates = ["dog", "cat", "runs", "dog runs", "Dog. Cat. Runs. Zzz", "Zzz. dog"] * 3
    several = [["Dog runs. Cat.", "Runs. Zzz."], ["Dog. Zzz"]]
    references = [["dog", "runs"], ["cat"], ["dog", "cat"], ["runs", ""], *several] * 3
    kept = score(candidates, references, domain)
    monkeypatch.setattr(consensus, "MAX_IMAGES_IN_MEMORY", 0)
    monkeypatch.setattr(consensus, "IMAGES_PER_BATCH", 5)
    assert score(candidates, references, domain).tolist() == kept.tolist()


def test_the_signature_names_the_domain(domain: Path) -> None:
    result = captious.score(["dog"], [["dog"]], [Consensus(domain)])
    assert f"consensus(domain={domain.name}@" in result.signature


def test_consensus_ranks_better_captions_higher() -> None:
    references = [["a brown dog runs on the beach", "the dog is running near the water"]] * 3
    candidates = ["a dog running along the shore", "a cat sleeps on a sofa", "a dog in a car"]
    good, bad, half = captious.score(candidates, references, [Consensus()]).samples["consensus"]
    assert good > half > bad
