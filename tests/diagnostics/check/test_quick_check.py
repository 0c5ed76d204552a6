"""What scoring says by itself: the gravest finding, if it is grave, once and to the caller."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import captious
from captious.diagnostics.check.catalogue import CHECKS
from captious.errors import CaptiousWarning
from captious.metrics.declarations import METRICS
from tests.diagnostics.check.test_check import CANDIDATES, REFERENCES


def warnings_of(candidates: Any, references: Any = REFERENCES, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        captious.score(candidates, references, options.pop("metrics", "bleu"), **options)
    assert all(warning.category is CaptiousWarning for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def test_ordinary_captions_are_scored_without_warning() -> None:
    assert warnings_of(CANDIDATES) == []
    assert warnings_of(["a dog"], [["a dog"]]) == []
    assert warnings_of([""], [["a dog"]]) == []


def test_chinese_scored_as_english_is_warned_of() -> None:
    (message,) = warnings_of(["一只狗在草地上跑"], [["一只棕色的狗"]])
    assert "do not seem to be English" in message and "--language zh" in message
    assert warnings_of(["一只狗在草地上跑"], [["一只棕色的狗"]], language="zh") == []


def test_pretokenized_captions_may_be_in_any_language() -> None:
    assert warnings_of(["一 只 狗 在 跑"], [["一 只 狗"]], tokenizer="whitespace") == []


def test_only_the_gravest_finding_is_warned_of() -> None:
    long = [f"The image shows {caption}. {' '.join(CANDIDATES[:8])}" for caption in CANDIDATES]
    (message,) = warnings_of(long, metrics="bleu,cider_d")
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
def test_length_is_warned_of_only_for_metrics_with_length_penalty(
    metrics: str, of_length: bool
) -> None:
    longer = [f"{caption} {' '.join(CANDIDATES[:8])}" for caption in CANDIDATES]
    said = warnings_of(longer, metrics=metrics)
    assert any("length penalty" in message for message in said) == of_length


def test_affected_metrics_exist() -> None:
    affected = {name for check in CHECKS for name in check.affected_metrics}
    assert affected and affected <= set(METRICS)


def test_findings_that_are_not_grave_are_not_warned_of() -> None:
    assert warnings_of(["", *CANDIDATES[1:]]) == []


def test_metrics_without_tokens_are_not_checked() -> None:
    assert warnings_of([""] * 40, REFERENCES[:40], metrics=lambda candidate, references: 1.0) == []


@pytest.mark.parametrize("count", [1, 19, 20, 999, 1000, 1001, 2500])
def test_warnings_need_twenty_samples(count: int) -> None:
    said = warnings_of(["x" * 3] * count, [["a dog"]] * count)
    assert len(said) == (count >= 20)


def test_captions_compared_by_sentence_alone_are_checked_too() -> None:
    german = "Ein Hund läuft über die Wiese. Zwei Katzen schlafen auf dem Sofa im Wohnzimmer."
    (message,) = warnings_of([german], [[german]], metrics="consensus")
    assert "do not seem to be English" in message
    assert message in warnings_of([german], [[german]], metrics="bleu")
