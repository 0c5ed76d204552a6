"""How well words of candidate and references are matched by each other's; how few references."""

from __future__ import annotations

import numpy as np
import pytest

import captious
from captious.text.vectors.caption_vectors import CaptionSpace, normalize

REFERENCES = ["a brown dog runs on the beach", "a dog is running near the water", "two dogs play"]
CANDIDATE = "a dog on the wet sand"
METRICS = ["consensus", "support", "scarcity"]


def score_caption(candidate: str, references: list[str]) -> dict[str, float]:
    samples = captious.score([candidate], [references], METRICS).samples
    return {name: float(scores[0]) for name, scores in samples.items()}


def test_support_equals_a_naive_implementation() -> None:
    actual = score_caption(CANDIDATE, REFERENCES)
    mine = sorted(set(CANDIDATE.split()))
    theirs = sorted({word for each in REFERENCES for word in each.split()})
    space = CaptionSpace.load()
    a, b = space.of_words(mine), space.of_words(theirs)
    cosines = normalize(a) @ normalize(b).T
    same = np.array([[word == other for other in theirs] for word in mine])
    cosines = np.where(same, 1.0, np.maximum(cosines, 0.0))
    lengths, other_lengths = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    recall = np.average(cosines.max(axis=0), weights=other_lengths**2)
    precision = np.average(cosines.max(axis=1), weights=lengths)
    assert actual["support_recall"] == pytest.approx(recall, abs=1e-5)
    assert actual["support_precision"] == pytest.approx(precision, abs=1e-5)


def test_one_reference_and_no_words() -> None:
    alone = score_caption("a dog", ["a dog"])
    assert alone["consensus"] == pytest.approx(1)
    assert alone["support_recall"] == alone["support_precision"] == alone["scarcity"] == 1
    empty = score_caption("", ["a dog", ""])
    assert empty["support_recall"] == empty["support_precision"] == empty["consensus"] == 0


def test_references_without_words_do_not_count() -> None:
    alone = score_caption("a cat sits", ["a dog sits"])
    assert score_caption("a cat sits", ["a dog sits", "..."]) == pytest.approx(alone)
    assert score_caption("a cat sits", ["...", ""])["scarcity"] == 1


def test_scarcity_is_one_over_the_number_of_references() -> None:
    assert score_caption(CANDIDATE, REFERENCES)["scarcity"] == pytest.approx(1 / 3)


@pytest.mark.filterwarnings("ignore:.*seem to be English")
def test_caption_without_vector_matches_only_an_equal_reference() -> None:
    nothing = score_caption("собака", ["a dog sits on a bench"])
    assert nothing["consensus"] == nothing["support_precision"] == 0
    same = score_caption("собака", ["a dog sits on a bench", "собака"])
    assert same["consensus"] == same["support_precision"] == 1


def test_scores_are_the_same_without_caching_references(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = score_caption(CANDIDATE, REFERENCES * 5)
    monkeypatch.setattr("captious.metrics.consensus.support.MAX_IMAGES_IN_MEMORY", 0)
    monkeypatch.setattr("captious.metrics.consensus.consensus.MAX_IMAGES_IN_MEMORY", 0)
    monkeypatch.setattr("captious.text.vectors.caption_vectors.MAX_CACHED_CAPTIONS", 0)
    assert score_caption(CANDIDATE, REFERENCES * 5) == whole
