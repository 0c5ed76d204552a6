"""Our own learned metric."""

from __future__ import annotations

import numpy as np
import pytest

import captious
from captious._internal.arrays.ragged import logistic
from captious.metrics.learned.captious import CAPTIOUS, Captious
from captious.metrics.learned.features import extract_features

REFERENCES = [
    "a brown dog runs on the beach",
    "a dog is running near the water",
    "the dog plays at the sea",
    "a wet dog runs along the shore",
]


def scores(*candidates: str, references: list[str] = REFERENCES) -> list[float]:
    result = captious.score(candidates, [references] * len(candidates), ["captious"])
    return list(map(float, result.samples["captious"]))


def test_caption_of_the_image_has_a_high_probability() -> None:
    right, similar, wrong = scores(
        "a dog running at the beach", "a horse runs on the beach", "a kitchen with a stove"
    )
    assert right > 0.8 > similar > wrong
    assert wrong < 0.02


@pytest.mark.parametrize(
    "worse",
    [
        "running beach a the at dog brown",  # shuffled
        "a brown dog running at the beach at the beach at the beach",
        "a brown dog running at the",
    ],
)
def test_score_depends_on_form(worse: str) -> None:
    whole, less = scores("a brown dog running at the beach", worse)
    assert less < 0.8 * whole


def test_score_is_weighted_features_times_form() -> None:
    candidates = ["a dog running at the beach", "beach the dog a at"]
    references = [REFERENCES] * 2
    model = Captious().model()
    margins = (
        extract_features(CAPTIOUS, candidates, references) @ np.diff(model.network.weights[0])[:, 0]
    )
    margins += np.diff(model.network.biases[0])
    form = captious.score(candidates, references, ["form"]).samples["form"]
    assert scores(*candidates) == pytest.approx((logistic(margins) * form).tolist())
    assert form[0] == 1 > form[1]


def test_no_weight_is_below_zero() -> None:
    assert (np.diff(Captious().model().network.weights[0]) >= 0).all()


def test_captious_is_a_default_metric() -> None:
    result = captious.score(["a dog"], [["a dog runs"]], df="coco-val2014")
    assert result.columns[-1] == "captious"
    assert "form(order=" in result.signature


def test_empty_caption_scores_near_zero() -> None:
    assert max(scores("", "собака", references=["a dog on a bench", ""])) < 0.05
    full = captious.score([""], [["a dog on a bench", ""]], ["captious_full"])
    assert full.corpus["captious_full"] < 0.05
