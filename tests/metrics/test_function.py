"""A user's own function as a metric."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.function import FunctionMetric

CANDIDATES = ["a dog", "a cat sits here", "a dog"]
REFERENCES = [["a dog runs"], ["the cat", "a cat sits"], ["a dog runs"]]


def shared_words(candidate: str, references: Sequence[str]) -> int:
    """The largest number of words in common.

    More that no table shows.
    """
    own = set(candidate.split())
    return max(len(own & set(reference.split())) for reference in references)


def test_function_is_scored_with_other_metrics() -> None:
    result = captious.score(CANDIDATES, REFERENCES, metrics=["bleu_1", shared_words])
    assert list(result.samples) == ["bleu_1", "shared_words"]
    assert result.samples["shared_words"].tolist() == [2, 3, 2]
    assert result.corpus["shared_words"] == pytest.approx(7 / 3)
    assert "shared_words" in result.signature
    plain = captious.score(CANDIDATES, REFERENCES, metrics=["bleu_1"])
    assert np.array_equal(result.samples["bleu_1"], plain.samples["bleu_1"])
    low, high = result.interval("shared_words")
    assert 2 <= low <= 7 / 3 <= high <= 3


def test_a_function_alone_needs_no_list() -> None:
    result = captious.score(CANDIDATES, REFERENCES, metrics=shared_words)
    assert result.samples["shared_words"].tolist() == [2, 3, 2]


def test_a_scorer_takes_a_function_again_and_again() -> None:
    scorer = captious.Scorer({"x": ["a dog"], "y": ["a cat", "cat"]}, shared_words)
    assert scorer.score({"x": "a dog", "y": "dog"}).samples["shared_words"].tolist() == [2, 0]
    again = scorer.score(["the cat", "a", "a"], ["y", "x", "y"])
    assert again.samples["shared_words"].tolist() == [1, 1, 1]


def test_function_gets_raw_captions_and_all_references_in_order() -> None:
    seen = []

    def look(candidate: str, references: Sequence[str]) -> int:
        seen.append((candidate, list(references)))
        return 0

    captious.score(["A Dog, runs!"], [["The CAT.", "second", "The CAT."]], metrics=look)
    assert seen == [("A Dog, runs!", ["The CAT.", "second", "The CAT."])]


def test_function_is_called_once_for_equal_samples() -> None:
    asked = []

    def count(candidate: str, references: Sequence[str]) -> int:
        asked.append((candidate, tuple(references)))
        return len(asked)

    result = captious.score(
        ["a", "b", "a", "a"], [["x", "y"], ["x", "y"], ["x", "y"], ["x"]], metrics=count
    )
    assert asked == [("a", ("x", "y")), ("b", ("x", "y")), ("a", ("x",))]
    assert result.samples["count"].tolist() == [1, 2, 1, 3]


def test_name_of_a_function_metric() -> None:
    assert FunctionMetric(shared_words).name == "shared_words"
    assert FunctionMetric(shared_words, "mine").columns == ("mine",)
    assert FunctionMetric(lambda candidate, references: 1.0).name == "lambda"
    assert FunctionMetric(functools.partial(shared_words)).name == "partial"
    assert FunctionMetric(shared_words).description == "The largest number of words in common."

    class Judge:
        def __call__(self, candidate: str, references: Sequence[str]) -> float:
            return 0.5

    result = captious.score(["a"], [["b"]], metrics=[Judge(), FunctionMetric(shared_words, "two")])
    assert list(result.samples) == ["Judge", "two"]


def test_two_functions_of_one_name_are_refused() -> None:
    both = [lambda candidate, references: 0.0, lambda candidate, references: 1.0]
    with pytest.raises(InputError, match="lambda: asked for twice"):
        captious.score(["a"], [["b"]], metrics=both)


@pytest.mark.parametrize(
    "answer", [math.nan, math.inf, None, "good", 1 + 2j, 10**400], ids=lambda value: str(value)[:8]
)
def test_non_finite_answer_is_an_error(answer: Any) -> None:
    def judge(candidate: str, references: Sequence[str]) -> float:
        return answer if candidate == "a cat" else 1.0

    with pytest.raises(InputError, match=r"^judge: gave .* for 'a cat'; a metric gives a finite"):
        captious.score(["a dog", "a cat"], [["a dog"], ["a dog"]], metrics=judge)


def test_options_are_not_for_functions() -> None:
    with pytest.raises(InputError, match="no metric chosen by name has the option 'df'"):
        captious.score(["a"], [["b"]], metrics=shared_words, df="coco-val2014")
