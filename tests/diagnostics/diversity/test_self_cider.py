"""Self-CIDEr beside a plain computation of it, and at its ends."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from captious import diversity
from captious.diagnostics.diversity.self_cider import diversity_of_similarities
from captious.errors import CaptiousError
from captious.metrics.cider.document_frequencies import DocumentFrequencies

REFERENCES = [
    ["a dog runs on the beach", "a brown dog runs", "the dog is on the sand"],
    ["two men sit on a bench", "men on a bench in a park"],
    ["a cat sleeps on a bed", "the cat is on the bed"],
]
SETS = {
    "different": ["a dog runs on the beach", "two men sit on a bench", "a cat sleeps"],
    "similar": ["a dog runs on the beach", "a brown dog runs on the beach", "the dog runs"],
    "repeated": ["a dog a dog a dog", "a dog", "a dog a cat a dog", "dog"],
    "unequal": ["a b c d e f g", "a a a a a", "a a", "b b b", "c"],
}


def ngrams(caption: str, n: int) -> Counter[tuple[str, ...]]:
    words = caption.split()
    return Counter(tuple(words[k : k + n]) for k in range(len(words) - n + 1))


def frequencies() -> Counter[tuple[str, ...]]:
    return Counter(
        gram
        for captions in REFERENCES
        for gram in {g for each in captions for n in range(1, 5) for g in ngrams(each, n)}
    )


def plain_cider(a: str, b: str, *, released: bool) -> float:
    """The similarity of two captions, word by word."""
    df, documents = frequencies(), len(REFERENCES)
    total = 0.0
    for n in range(1, 5):
        vectors = [
            {g: c * (math.log(documents) - math.log(max(1, df[g]))) for g, c in counts.items()}
            for counts in (ngrams(a, n), ngrams(b, n))
        ]
        mine, theirs = vectors
        lengths = [math.sqrt(sum(x * x for x in vector.values())) for vector in vectors]
        dot = sum(
            (min(x, theirs[g]) if released else x) * theirs[g]
            for g, x in mine.items()
            if g in theirs
        )
        if all(lengths):
            total += dot / (lengths[0] * lengths[1])
    if released:
        difference = max(len(a.split()) - 1, 0) - max(len(b.split()) - 1, 0)
        total *= math.exp(-(difference**2) / (2 * 6.0**2))
    return total / 4


def plain_self_cider(captions: list[str], *, released: bool) -> float:
    size = len(captions)
    matrix = np.zeros((size, size))
    for i in range(size):
        for j in range(i, size):
            matrix[i, j] = matrix[j, i] = plain_cider(captions[i], captions[j], released=released)
    roots = np.sqrt(np.linalg.svd(matrix)[1])
    return float(-np.log(roots.max() / roots.sum()) / np.log(size))


@pytest.mark.filterwarnings("ignore:.*image.s. are unreliable")
@pytest.mark.parametrize("variant", ["paper", "released"])
@pytest.mark.parametrize("name", SETS)
def test_self_cider_equals_a_plain_computation(name: str, variant: str) -> None:
    df = DocumentFrequencies.collect(REFERENCES)
    measured = diversity({1: SETS[name]}, df=df, variant=variant, tokenizer="whitespace")
    assert measured.self_cider is not None
    plainly = plain_self_cider(SETS[name], released=variant == "released")
    assert measured.self_cider.score == pytest.approx(plainly, abs=1e-7)


def score(captions: list[str], **options: Any) -> float:
    measured = diversity({1: captions}, **options).self_cider
    assert measured is not None
    return measured.score


@pytest.mark.parametrize("variant", ["paper", "released"])
@pytest.mark.parametrize("count", [2, 3, 100, pytest.param(1000, marks=pytest.mark.slow)])
def test_equal_captions_have_no_diversity_at_all(count: int, variant: str) -> None:
    assert score(["a dog runs on the beach"] * count, variant=variant) == 0.0
    assert score(["A dog runs on the beach.", "a dog runs on the beach"], variant=variant) == 0.0


def test_captions_without_common_words_have_diversity_one() -> None:
    captions = ["one dog runs along beaches", "two men sit there now", "some cats sleep all day"]
    assert score(captions) == pytest.approx(1.0, abs=1e-12)


def test_empty_captions_add_no_diversity() -> None:
    assert score(["", ""]) == 0.0
    assert score(["", "a dog runs"]) == 0.0
    assert score(["a", "a dog"]) > 0.0


def test_the_order_of_captions_does_not_matter_to_the_last_bit() -> None:
    captions = [*SETS["different"], *SETS["similar"], *SETS["repeated"], *SETS["unequal"], ""]
    forwards = score(captions)
    assert score(captions[::-1]) == forwards
    assert score(sorted(captions)) == forwards


def test_more_captions_alike_are_less_diverse() -> None:
    first, second = "a dog runs on the beach", "two men sit on a bench"
    assert score([first, second]) > score([first, first, first, second]) > 0.0


def test_self_cider_uses_singular_values_if_matrix_is_not_positive() -> None:
    matrix = np.array([[[0.0, 1.0], [1.0, 0.0]]])
    assert diversity_of_similarities(matrix).tolist() == [pytest.approx(1.0)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"df": "no-such"}, "no-such"),
        ({"df": None}, "df"),
        ({"df": 3}, "df"),
        ({"variant": "other"}, "variant"),
    ],
)
def test_invalid_settings_are_errors(options: dict[str, object], said: str) -> None:
    with pytest.raises(CaptiousError, match=said):
        diversity(["a dog"], **options)  # type: ignore[arg-type]
