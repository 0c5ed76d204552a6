"""What scoring says by itself: the gravest finding, if it is grave, once and to the caller."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import captious
from captious.diagnostics.check.catalogue import LOOKS
from captious.errors import CaptiousWarning
from captious.metrics.declarations import METRICS
from tests.diagnostics.check.test_check import CANDIDATES, REFERENCES


def warned(candidates: Any, references: Any = REFERENCES, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        captious.score(candidates, references, options.pop("metrics", "bleu"), **options)
    assert all(warning.category is CaptiousWarning for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def test_ordinary_captions_are_scored_in_silence() -> None:
    assert warned(CANDIDATES) == []
    assert warned(["a dog"], [["a dog"]]) == []
    assert warned([""], [["a dog"]]) == []


def test_chinese_is_no_longer_scored_in_silence() -> None:
    (message,) = warned(["一只狗在草地上跑"], [["一只棕色的狗"]])
    assert "do not seem to be English" in message and "--language zh" in message
    assert warned(["一只狗在草地上跑"], [["一只棕色的狗"]], language="zh") == []


def test_captions_cut_beforehand_may_be_in_any_language() -> None:
    assert warned(["一 只 狗 在 跑"], [["一 只 狗"]], tokenizer="whitespace") == []


def test_only_the_gravest_is_said() -> None:
    long = [f"The image shows {caption}. {' '.join(CANDIDATES[:8])}" for caption in CANDIDATES]
    (message,) = warned(long, metrics="bleu,cider_d")
    assert "CIDEr-D's length penalty leaves" in message
    assert "captious check" in message and "\n" not in message


@pytest.mark.parametrize(
    ("metrics", "of_length"),
    [
        ("rouge_l", False),
        ("cider", False),
        ("lceval", False),  # reads plain CIDEr
        ("cider_d", True),
        ("rouge_l,cider_d(sigma=4)", True),
        ("spider", True),
        ("spider(cider=cider)", False),
    ],
)
def test_of_length_only_where_its_penalty_is_scored(metrics: str, of_length: bool) -> None:
    longer = [f"{caption} {' '.join(CANDIDATES[:8])}" for caption in CANDIDATES]
    said = warned(longer, metrics=metrics)
    assert any("length penalty" in message for message in said) == of_length


def test_a_finding_touches_metrics_that_there_are() -> None:
    touched = {name for look in LOOKS for name in look.touches}
    assert touched and touched <= set(METRICS)


def test_what_is_not_grave_is_not_said() -> None:
    assert warned(["", *CANDIDATES[1:]]) == []


def test_without_words_nothing_is_looked_at() -> None:
    assert warned([""] * 40, REFERENCES[:40], metrics=lambda candidate, references: 1.0) == []


@pytest.mark.parametrize("count", [1, 19, 20, 999, 1000, 1001, 2500])
def test_of_many_captions_some_are_looked_at(count: int) -> None:
    said = warned(["x" * 3] * count, [["a dog"]] * count)
    assert len(said) == (count >= 20)
