"""Combined references: by hand with a toy encoder, the parts one by one, and the one that ships."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.bertscore.multiref import BETAS, BertScoreMultiref
from captious.metrics.pooling import combine_on_each_base, combine_references
from captious.text.encoder.encoder import load_encoder
from tests.made_up.toy_encoder import ToyEncoder

REFERENCES = ["dog big", "cat red the"]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = ToyEncoder()
    monkeypatch.setattr("captious.text.encoder.encoder._create_encoder", lambda model: encoder)


def score_caption(candidate: str, references: list[str], **options: Any) -> float:
    metric = BertScoreMultiref(**options)
    result = captious.score([candidate], [references], metrics=[metric], cache=False)
    return float(result.corpus["bertscore_multiref"])


# Two references of two tokens; token 2 is like token 0, token 3 like none.
SIMILARITY = np.array([[1, 0, 0.6, 0], [0, 1, 0, 0], [0.6, 0, 1, 0], [0, 0, 0, 1]])


def test_unmatched_pieces_are_added_to_the_base() -> None:
    assert combine_references(SIMILARITY, [0, 2, 4], 0.5) == [0, 1, 3]
    assert combine_references(SIMILARITY, [0, 2, 4], 0.6) == [0, 1, 2, 3]  # equal is not above
    assert combine_references(SIMILARITY, [0, 0, 2, 4], 0.5) == [0, 1, 3]  # an empty base


def test_every_reference_is_base_in_turn_as_released() -> None:
    assert combine_on_each_base(SIMILARITY, [0, 2, 4], 0.5) == [([0, 1], [3]), ([2, 3], [1])]


def test_too_many_pieces_are_refused(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captious.metrics.bertscore.multiref.MAX_PIECES_PER_IMAGE", 4)
    with pytest.raises(InputError, match=r"2 references have 5 pieces .* at most 4 are combined"):
        score_caption("cat red", REFERENCES)
    assert score_caption("cat red", REFERENCES, pooling="best") == 1.0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # Every piece is in one of two references, so that all weigh alike. Combined: dog, big, red,
        # the; the candidate's best are .6, 0, 1, 0. R_comb = (.6 + 1) / 2; R_rm = (.6 + 0 + 1) / 3.
        ({}, 0.8 * 1.6 / 3),
        ({"remove_stop_words": False}, 0.8),
        # cat is no longer like dog: combined is all five, of which cat and red match.
        ({"beta": 0.7}, 1.0 * 2 / 4),
        # dog big cat red the: .6, 0, 1, 1, 0.
        ({"pooling": "concatenated"}, 2.6 / 3 * 2.6 / 4),
        # The second reference: cat and red match; R_rm = 2 / 2.
        ({"pooling": "best"}, 1.0),
        # Released, first base: dog, big, then red with the vector of the first reference's end and
        # the with cat's: .6, 0, 0, 1. R_comb = 1.6 / 2, R_rm = .6 / 1. Second base: cat, red, the,
        # and big with the vector of the end: 1, 1, 0, 0.
        ({"variant": "released"}, (0.8 * 0.6 + 1.0) / 2),
    ],
)
def test_scores_equal_hand_computed_values(
    toy: Any, options: dict[str, Any], expected: float
) -> None:
    actual = score_caption("cat red", REFERENCES, **{"beta": 0.5, **options})
    assert actual == pytest.approx(expected, abs=1e-6)


def test_rare_pieces_weigh_more(toy: Any) -> None:
    # dog is in both references and weighs ln(2/2) = 0, red is in one.
    actual = score_caption("cat red", ["dog red", "dog"], beta=0.5, remove_stop_words=False)
    assert actual == pytest.approx(1.0, abs=1e-6)
    actual = score_caption("cat", ["dog red", "dog"], beta=0.5, remove_stop_words=False)
    assert actual == 0.0  # what matches weighs nothing


@pytest.mark.parametrize("variant", ["paper", "released"])
def test_nothing_to_match(toy: Any, variant: str) -> None:
    for candidate, references in (("", ["dog"]), ("dog", [""]), ("", [""]), ("red", ["dog"])):
        assert score_caption(candidate, references, variant=variant, beta=0.5) == 0.0
    assert score_caption("dog", ["", "dog"], beta=0.5) == pytest.approx(1.0)


def test_references_of_stop_words_only(toy: Any) -> None:
    assert score_caption("the the", ["the the"], beta=0.5) == pytest.approx(1.0)
    assert score_caption("the the", ["the the"], beta=0.5, variant="released") == 0.0


def test_unknown_choices_are_errors() -> None:
    for options in ({"variant": "mine"}, {"pooling": "some"}, {"beta": 1.0}, {"beta": -0.1}):
        with pytest.raises(InputError, match="bertscore_multiref"):
            BertScoreMultiref(**options)


def test_another_model_needs_a_threshold_of_its_own(toy: Any) -> None:
    with pytest.raises(InputError, match="beta depends on the model"):
        BertScoreMultiref().threshold(ToyEncoder())


def test_every_layer_of_the_shipped_encoder_has_a_threshold() -> None:
    shipped = load_encoder()
    assert {len(betas) for betas in BETAS.values()} == {shipped.layers + 1}
    assert BertScoreMultiref().threshold(shipped) == 0.55
    assert BertScoreMultiref(layer=3).threshold(shipped) == 0.75
    assert BertScoreMultiref(layer=3, variant="released").threshold(shipped) == 0.05
    assert BertScoreMultiref(layer=3, beta=0.2).threshold(shipped) == 0.2
    with pytest.raises(InputError, match="layers 0 to 6"):
        BertScoreMultiref(layer=7).threshold(shipped)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["paper", "released"])
def test_the_shipped_encoder_alone_and_beside_others(variant: str) -> None:
    pytest.importorskip("onnxruntime")
    near = ("a dog runs on the beach", ["a puppy runs along the shore", "a dog at the sea"])
    rows = [near, ("two men cook in a kitchen", near[1]), ("", ["\ud800", "🙂"])]
    metric = BertScoreMultiref(variant=variant, df="coco-val2014")
    candidates, references = zip(*rows, strict=True)
    result = captious.score(candidates, references, metrics=[metric], cache=False)
    scores = result.samples["bertscore_multiref"].tolist()
    assert scores[2] == 0 and scores[1] < 0.2 and 0.3 < scores[0] <= 1
    assert [score_caption(*row, variant=variant, df="coco-val2014") for row in rows] == scores
    assert f"variant={variant}" in result.signature
