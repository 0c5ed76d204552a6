"""BERTScore: by hand with a toy encoder, and the one that ships."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.bertscore.bertscore import BertScore
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from tests.made_up.toy_encoder import ToyEncoder


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = ToyEncoder()
    monkeypatch.setattr("captious.text.encoder.encoder._create_encoder", lambda model: encoder)


def score_caption(
    candidate: str, references: list[str], metric: BertScore | None = None
) -> list[float]:
    metric = metric or BertScore()
    result = captious.score([candidate], [references], metrics=[metric], cache=False)
    return [float(result.samples[name][0]) for name in metric.columns]


@pytest.mark.parametrize(
    ("candidate", "references", "expected"),  # F1, precision, recall
    [
        ("dog red", ["dog red"], (1, 1, 1)),
        ("dog", ["cat"], (0.6, 0.6, 0.6)),
        ("dog red", ["cat"], (0.4, 0.3, 0.6)),
        ("dog", ["red"], (0, 0, 0)),
        ("big", ["cat"], (0, 0, 0)),  # unlike counts as not alike
        ("dog red", ["cat", "dog the the"], (0.4, 0.5, 0.6)),  # best of each column by itself
        ("", ["dog"], (0, 0, 0)),
        ("dog", [""], (0, 0, 0)),
        ("", [""], (0, 0, 0)),
        ("dog", ["", "dog"], (1, 1, 1)),
    ],
)
def test_scores_equal_hand_computed_values(
    toy: Any, candidate: str, references: list[str], expected: tuple[float, float, float]
) -> None:
    assert score_caption(candidate, references) == pytest.approx(expected, abs=1e-6)


def test_rare_pieces_weigh_more_with_idf(toy: Any) -> None:
    # Two references: dog is in both, red in one, cat in none.
    both, one = 0.0, math.log(3 / 2)
    assert both == math.log(3 / 3) and one > 0
    actual = score_caption("dog", ["dog red", "dog"], BertScore(idf=True))
    # Against the first, recall is that of red alone: 0. The second weighs nothing: all alike.
    assert actual == pytest.approx((1, 1, 1), abs=1e-6)
    actual = score_caption("cat red", ["dog red", "dog dog"], BertScore(idf=True))
    unknown = math.log(3 / 1)
    precision = (0.6 * unknown + 1 * one) / (unknown + one)
    recall = 1.0  # of red
    expected = (2 * precision * recall / (precision + recall), precision, recall)
    assert actual == pytest.approx(expected, abs=1e-6)


def test_given_document_frequencies_are_used(toy: Any) -> None:
    df = DocumentFrequencies.collect([["dog red"], ["dog"], ["dog"]])
    actual = score_caption("dog", ["dog red"], BertScore(idf=True, df=df))
    dog, red = math.log(4 / 4), math.log(4 / 2)
    recall = (1 * dog + 0 * red) / (dog + red)
    assert actual[2] == pytest.approx(recall, abs=1e-6)
    assert actual[1] == pytest.approx(1, abs=1e-6)  # a candidate that weighs nothing


@pytest.mark.slow
def test_shipped_encoder_scores_near_captions_higher() -> None:
    pytest.importorskip("onnxruntime")
    candidates = ["a dog runs on the beach", "two men cook in a kitchen", "a dog runs on the beach"]
    references = [["a puppy is running along the shore", "a dog at the sea"]] * 2
    references += [["a dog runs on the beach"]]
    result = captious.score(candidates, references, metrics=[BertScore()], cache=False)
    near, far, equal = result.samples["bertscore"]
    assert far < 0.4 < near < equal == pytest.approx(1.0, abs=1e-6)
    assert "model=all-minilm-l6-v2@" in result.signature and "layer=6,idf=no" in result.signature


def test_scores_do_not_depend_on_other_samples() -> None:
    pytest.importorskip("onnxruntime")
    rows = [("a dog", ["a dog runs", "the cat"]), ("\x00", ["", "é 🙂"]), ("a man", ["men"])]
    candidates, references = zip(*rows, strict=True)
    result = captious.score(candidates, references, metrics=[BertScore()], cache=False)
    for sample, row in enumerate(rows):
        assert score_caption(*row) == [result.samples[name][sample] for name in BertScore.columns]
        assert np.isfinite(score_caption(*row)).all()


def test_unknown_layer_is_an_error() -> None:
    pytest.importorskip("onnxruntime")
    with pytest.raises(InputError, match="layers 0 to 6, not 9"):
        score_caption("a dog", ["a dog"], BertScore(layer=9))
