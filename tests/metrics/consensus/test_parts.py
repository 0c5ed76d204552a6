"""Further views of candidate and references in caption space."""

from __future__ import annotations

import numpy as np
import pytest

import captious
from captious.metrics.consensus.consensus import Consensus
from captious.metrics.consensus.parts import ConsensusParts
from captious.text.vectors.caption_vectors import CaptionSpace, at_length_one
from captious.text.vectors.other_images import TEMPERATURE, OtherImages

REFERENCES = ["a brown dog runs on the beach", "a dog is running near the water", "two dogs play"]
CANDIDATE = "a dog on the wet sand"


def parts(candidate: str, references: list[str]) -> dict[str, float]:
    samples = captious.score([candidate], [references], [ConsensusParts(), Consensus()]).samples
    return {name: float(scores[0]) for name, scores in samples.items()}


def vector(caption: str) -> np.ndarray:
    summed = CaptionSpace.load().of_words(caption.split()).sum(axis=0, keepdims=True)
    return np.asarray(at_length_one(summed)[0])


def test_against_a_plain_way() -> None:
    found = parts(CANDIDATE, REFERENCES)
    mine, theirs = vector(CANDIDATE), np.array([vector(each) for each in REFERENCES])
    centre = at_length_one(theirs.sum(axis=0, keepdims=True))[0]
    others = [at_length_one((theirs.sum(axis=0) - each)[None])[0] for each in theirs]
    agreement = np.mean([each @ other for each, other in zip(theirs, others, strict=True)])
    bank = OtherImages.load().centroids
    general = TEMPERATURE * np.log(np.exp(bank @ mine / TEMPERATURE).mean())
    assert found["consensus"] == pytest.approx(mine @ centre, abs=1e-5)
    assert found["consensus_nearest"] == pytest.approx((theirs @ mine).max(), abs=1e-5)
    assert found["consensus_relative"] == pytest.approx(mine @ centre / agreement, abs=1e-5)
    assert found["consensus_distinct"] == pytest.approx(mine @ centre - general, abs=1e-5)


def test_support_against_a_plain_way() -> None:
    found = parts(CANDIDATE, REFERENCES)
    mine = sorted(set(CANDIDATE.split()))
    theirs = sorted({word for each in REFERENCES for word in each.split()})
    space = CaptionSpace.load()
    a, b = space.of_words(mine), space.of_words(theirs)
    cosines = at_length_one(a) @ at_length_one(b).T
    same = np.array([[word == other for other in theirs] for word in mine])
    cosines = np.where(same, 1.0, np.maximum(cosines, 0.0))
    lengths, other_lengths = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    recall = np.average(cosines.max(axis=0), weights=other_lengths**2)
    precision = np.average(cosines.max(axis=1), weights=lengths)
    assert found["support_recall"] == pytest.approx(recall, abs=1e-5)
    assert found["support_precision"] == pytest.approx(precision, abs=1e-5)


def test_what_can_be_said_of_anything_is_less_distinct() -> None:
    references = ["a man stands beside a giraffe", "a giraffe licks a man"]
    plain, distinct = parts("a man standing there", references), parts("a giraffe", references)
    assert plain["consensus_distinct"] < distinct["consensus_distinct"]


def test_one_reference_and_no_words() -> None:
    alone = parts("a dog", ["a dog"])
    assert alone["consensus_nearest"] == pytest.approx(1)
    assert alone["support_recall"] == alone["support_precision"] == 1
    empty = parts("", ["a dog", ""])
    assert empty["support_recall"] == empty["support_precision"] == 0
    assert empty["consensus_nearest"] == 0


def test_references_without_words_do_not_count() -> None:
    alone, beside = parts("a cat sits", ["a dog sits"]), parts("a cat sits", ["a dog sits", "..."])
    assert beside == pytest.approx(alone)


@pytest.mark.filterwarnings("ignore:.*seem English")
def test_what_has_no_place_says_nothing_unless_a_reference_says_the_same() -> None:
    nothing = parts("собака", ["a dog sits on a bench"])
    assert nothing["consensus_distinct"] == -1
    assert nothing["consensus_nearest"] == nothing["consensus_relative"] == 0
    same = parts("собака", ["a dog sits on a bench", "собака"])
    assert same["consensus_nearest"] == same["consensus_distinct"] == same["support_precision"] == 1


def test_many_references_are_taken_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parts(CANDIDATE, REFERENCES * 5)
    monkeypatch.setattr("captious.metrics.consensus.vector_views.PAIRS_AT_ONCE", 4)
    monkeypatch.setattr("captious.metrics.consensus.parts.MOST_IMAGES", 0)
    monkeypatch.setattr("captious.text.vectors.caption_vectors.MOST_KEPT", 0)
    assert parts(CANDIDATE, REFERENCES * 5) == whole
