"""Why a caption scores as it does."""

from __future__ import annotations

import json

import pytest

import captious

REFERENCES = ["a brown dog runs on the beach", "a dog is running near the water"]


def test_explained_score_equals_that_of_the_metric() -> None:
    found = captious.explain("a dog on the shore", REFERENCES)
    score = captious.score(["a dog on the shore"], [REFERENCES], "captious").samples["captious"]
    assert found.score == score[0] == found.chance * found.form


def test_words_have_weights_and_support() -> None:
    found = captious.explain("a dog and a giraffe run", REFERENCES)
    words = {each.word: each for each in found.words}
    assert sum(each.weight for each in found.words) == pytest.approx(1)
    assert words["giraffe"].weight > words["and"].weight
    assert (words["dog"].support, words["dog"].by) == (1.0, "dog")
    assert found.unsupported == ["giraffe"]


def test_the_nearest_reference() -> None:
    found = captious.explain("a dog near the water", REFERENCES)
    assert found.nearest == 1
    assert found.similarities[1] == max(found.similarities)


@pytest.mark.parametrize(
    ("candidate", "references"), [("", ["a dog"]), ("a dog", [""]), ("", [""])]
)
def test_empty_caption_is_explained(candidate: str, references: list[str]) -> None:
    found = captious.explain(candidate, references)
    assert 0 <= found.score < 0.1
    assert found.unsupported == (["dog"] if candidate else [])
    assert found.missing == ([] if candidate or references == [""] else ["dog"])
    json.dumps(found.to_dict())


def test_wrong_input_is_refused() -> None:
    with pytest.raises(captious.CaptiousError, match="list"):
        captious.explain("a dog", "a dog")


def test_parts_name_the_feature_that_lowers_the_score() -> None:
    found = captious.explain("a plane in the sky", REFERENCES)
    good = captious.explain("a brown dog runs near the water", REFERENCES)
    assert found.chance < 0.1 < 0.9 < good.chance
    pulls = [part.pull for part in found.parts]
    assert pulls == sorted(pulls)
    assert pulls[0] < 0
    assert sum(pulls) < sum(part.pull for part in good.parts)
    assert "plane" in found.unsupported
    assert "dog" in found.missing
    assert "dog" not in good.missing


def test_only_the_metrics_that_explain_themselves() -> None:
    with pytest.raises(captious.CaptiousError, match="cannot be explained"):
        captious.explain("a dog", ["a dog"], "cider_d")


def test_words_that_one_of_five_references_says_are_supported() -> None:
    references = [
        "Two men ride motorcycles down a street.",
        "Black and white photograph of two men on motorcycles.",
        "Police officers on bikes in traffic.",
        "Some people riding down a busy road.",
        "A couple of motorcycle cops ride past cars.",
    ]
    found = captious.explain("a black and white photo of a bear on a motorcycle", references)
    assert found.unsupported == ["bear"]


def test_unknown_word_is_unsupported() -> None:
    assert captious.explain("a zyzzxq on a bench", ["a dog on a bench"]).unsupported == ["zyzzxq"]


def test_weights_that_cannot_be_explained_are_named() -> None:
    from captious.metrics.learned.captious import Captious
    from captious.metrics.learned.published import NnEval

    with pytest.raises(captious.CaptiousError, match=r"nneval\.npz: these weights cannot"):
        captious.explain("a dog", ["a dog"], Captious(NnEval().weights))


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    from captious.cli.main import main

    assert main(["explain", "a cat on a bench", "a dog sits\non a bench"]) == 0
    table = capsys.readouterr().out
    assert "a dog sits on a bench" in table
    assert main(["explain", "a cat", "a dog", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unsupported"] == ["cat"]
    assert found["missing"] == ["dog"]


def test_a_long_caption_is_explained_sentence_by_sentence() -> None:
    right, wrong = "A dog runs on the beach.", "A cat sleeps on a sofa."
    long = "A dog runs along the shore. The sky is blue."
    found = captious.explain(f"{right} {wrong}", [long, *REFERENCES])
    assert [each.sentence for each in found.sentences] == [right, wrong]
    assert found.sentences[0].chance > 0.5 > 0.1 > found.sentences[1].chance
    assert set(found.sentences[0].beside) == {"A dog runs along the shore.", *REFERENCES}
    assert found.to_dict()["sentences"][1]["sentence"] == wrong
    assert wrong in found.to_text()
    assert captious.explain(right, REFERENCES).sentences == ()
