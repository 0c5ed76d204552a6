"""Whether a caption's words stand in an order that captions have."""

from __future__ import annotations

import random

import pytest

import captious

ORDINARY = [
    "A man riding a wave on top of a surfboard.",
    "Two dogs play with a ball in the snow .",
    "a group of people standing around a table",
    "A red double decker bus driving down a street",
    "giraffe",
]


def form(*captions: str) -> list[float]:
    result = captious.score(captions, [["a dog"]] * len(captions), ["form"])
    return list(map(float, result.samples["form"]))


def test_form_is_one_for_ordinary_captions() -> None:
    assert form(*ORDINARY) == [1.0] * len(ORDINARY)


@pytest.mark.parametrize(
    "caption",
    [
        "surfboard a of riding man top on wave a a",
        "a man riding a horse riding a horse riding a horse",
        "a dog dog dog dog dog",
        "a group of people standing around a",
        "two dogs play with a ball in the",
    ],
)
def test_form_falls_for_shuffled_repeated_and_truncated_captions(caption: str) -> None:
    assert form(caption)[0] < 0.75


def test_shuffling_lowers_form() -> None:
    rng = random.Random(0)
    for caption in ORDINARY[:4]:
        words = caption.lower().strip(" .").split()
        shuffled = form(*(" ".join(rng.sample(words, len(words))) for _ in range(20)))
        assert sum(score < 1 for score in shuffled) > 12


def test_form_ignores_references_and_is_one_for_empty_captions() -> None:
    captions, references = ["a the of", "a the of", ""], [["a dog"], ["a the of"], [""]]
    scores = captious.score(captions, references, ["form"]).samples["form"]
    assert scores[0] == scores[1] < 1
    assert scores[2] == 1
