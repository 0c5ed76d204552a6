"""Distinct n-grams and captions, counted and expected, beside a plain count."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from captious.corpus import ReferenceColumns
from captious.diagnostics.diversity.distinct import Distinct, Occurrences, distinct, mean_words
from captious.diagnostics.diversity.systems import Systems

CAPTIONS = ["a dog runs", "a dog", "A dog runs.", "two men on a bench", "", "a dog runs on a bench"]


def systems_of(*captions: list[str]) -> Systems:
    columns = {str(n): ReferenceColumns.of(each, "candidate") for n, each in enumerate(captions)}
    return Systems.of(columns, "ptb")


def of(captions: list[str], drawn: int | None = None) -> Distinct:
    systems = systems_of(captions)
    return distinct(systems.analysis, systems.by_name["0"], drawn or len(captions))


def plain(captions: list[str]) -> tuple[float, float, float, float, int]:
    """Vocabulary, distinct unigrams, bigrams and captions, the latter as counts; unigrams."""
    words = [caption.lower().replace(".", "").split() for caption in captions]
    unigrams = [word for each in words for word in each]
    bigrams = [pair for each in words for pair in pairwise(each)]
    return (
        len(set(unigrams)),
        len(set(unigrams)) / len(unigrams) if unigrams else math.nan,
        len(set(bigrams)) / len(bigrams) if bigrams else math.nan,
        len(set(map(tuple, words))) / len(words),
        len(unigrams),
    )


def test_all_captions_are_counted_plainly() -> None:
    vocabulary, unigrams, bigrams, captions, _ = plain(CAPTIONS)
    assert of(CAPTIONS) == Distinct(6, vocabulary, unigrams, bigrams, captions)
    assert isinstance(of(CAPTIONS).vocabulary, int)


@pytest.mark.parametrize("drawn", [1, 2, 3, 5])
def test_expected_measures_are_the_mean_over_all_draws(drawn: int) -> None:
    draws = [plain(list(some)) for some in combinations(CAPTIONS, drawn)]
    expected = of(CAPTIONS, drawn)
    mean_vocabulary = sum(draw[0] for draw in draws) / len(draws)
    assert expected.vocabulary == pytest.approx(mean_vocabulary, rel=1e-12)
    mean_words = sum(draw[4] for draw in draws) / len(draws)
    assert expected.distinct_1 == pytest.approx(mean_vocabulary / mean_words, rel=1e-12)
    mean_captions = sum(draw[3] for draw in draws) / len(draws)
    assert expected.distinct_captions == pytest.approx(mean_captions, rel=1e-12)


def test_equal_captions_are_one_among_so_many() -> None:
    every = of(["a dog runs on grass"] * 100)
    assert (every.vocabulary, every.distinct_1, every.distinct_2) == (5, 0.01, 0.01)
    assert every.distinct_captions == 0.01
    some = of(["a dog runs on grass"] * 100, 10)
    assert (some.vocabulary, some.distinct_1, some.distinct_captions) == (5, 0.1, 0.1)


def test_the_same_language_twice_as_long_has_fewer_distinct_words_but_as_many_expected() -> None:
    once = [f"a dog sees word{n} and word{n + 1}" for n in range(400)]
    twice = [f"a dog sees word{n} and word{n + 1}" for n in range(800)]
    assert of(twice).distinct_2 < of(once).distinct_2
    assert of(twice, 100).vocabulary == pytest.approx(of(once, 100).vocabulary, rel=0.1)


def test_without_words_there_is_no_share() -> None:
    nothing = of(["", "..."])
    assert nothing.vocabulary == 0
    assert math.isnan(nothing.distinct_1)
    assert math.isnan(nothing.distinct_2)
    assert nothing.distinct_captions == 0.5
    assert math.isnan(of(["dog"]).distinct_2)


def test_millions_of_captions_are_drawn_from_without_overflow() -> None:
    everywhere = Occurrences(np.array([5_000_000, 9_999_999]), 10_000_000)
    assert everywhere.expected_distinct(10_000_000, 1000) == 2.0
    rare = Occurrences(np.array([1]), 10_000_000)
    assert rare.expected_distinct(10_000_000, 1000) == pytest.approx(1e-4, rel=1e-12)


def test_systems_do_not_see_each_others_captions() -> None:
    ours, theirs = ["a dog", "a dog runs"], ["two men on a bench", "a dog"]
    together = systems_of(ours, theirs)
    for name, captions in {"0": ours, "1": theirs}.items():
        system = together.by_name[name]
        assert distinct(together.analysis, system, 2) == of(captions)
        assert mean_words(together.analysis, system) == plain(captions)[-1] / 2
