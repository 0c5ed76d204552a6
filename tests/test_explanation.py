"""Why a caption scores as it does."""

import json

import pytest

import captious
from captious.metrics.consensus import Consensus

REFERENCES = ["a brown dog runs on the beach", "a dog is running near the water"]


def test_the_score_is_the_metrics():
    found = captious.explain("a dog on the shore", REFERENCES)
    score = captious.score(["a dog on the shore"], [REFERENCES], [Consensus()]).samples["consensus"]
    assert found.score == pytest.approx(score[0], abs=1e-6)


def test_words_have_weights_and_support():
    found = captious.explain("a dog and a giraffe run", REFERENCES)
    words = {each.word: each for each in found.words}
    assert sum(each.weight for each in found.words) == pytest.approx(1)
    assert words["giraffe"].weight > words["and"].weight
    assert (words["dog"].support, words["dog"].by) == (1.0, "dog")
    assert found.unsupported == ["giraffe"]


def test_the_nearest_reference():
    found = captious.explain("a dog near the water", REFERENCES)
    assert found.nearest == 1
    assert found.similarities[1] == max(found.similarities)


@pytest.mark.parametrize(
    ("candidate", "references"), [("", ["a dog"]), ("a dog", [""]), ("", [""])]
)
def test_nothing_to_explain(candidate, references):
    found = captious.explain(candidate, references)
    assert found.score == 0
    assert found.unsupported == (["dog"] if candidate else [])
    json.dumps(found.to_dict())


def test_wrong_input_is_said():
    with pytest.raises(captious.CaptiousError, match="list"):
        captious.explain("a dog", "a dog")
