"""Whether a caption's words stand in an order that captions have."""

from __future__ import annotations

import random

import pytest

import captious
from captious.metrics.form import SUM_LIMIT

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


def form_by_sentence(caption: list[str], forms: dict[str, float]) -> float:
    """The mean over a caption's sentences, weighted by words, in a plain loop."""
    total = formed = 0.0
    seen: set[str] = set()
    for sentence in caption:
        words = sentence.lower().strip(".")
        total += len(words.split())
        if words not in seen:
            formed += len(words.split()) * forms[sentence]
        seen.add(words)
    return min(formed / total, forms[caption[-1]]) if total else 1.0


@pytest.mark.parametrize("sum_limit", [1, 2, SUM_LIMIT])
def test_form_of_several_sentences_is_their_mean(
    sum_limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captious.metrics.form.SUM_LIMIT", sum_limit)
    sentences = [
        "A man riding a wave on top of a surfboard.",
        "a man riding a wave on top of a surfboard.",
        "surfboard a of riding man top on wave a the.",
        "A group of people standing around the.",
        "A dog dog dog dog dog.",
        "Giraffe.",
    ]
    forms = dict(zip(sentences, form(*sentences), strict=True))
    rng = random.Random(1)
    captions = [rng.choices(sentences, k=rng.randint(2, 12)) for _ in range(200)]
    actual = form(*map(" ".join, captions))
    assert actual == [form_by_sentence(each, forms) for each in captions]
    # The same beside captions of one sentence, and one without words to weigh.
    mixed = form("?. !. a?", *sentences, " ".join(captions[0]))
    assert mixed == [1.0, *forms.values(), actual[0]]
