"""ROUGE-L of captions longer than a machine's word has bits."""

from __future__ import annotations

import pytest

import captious


def rouge_l(candidate: str, reference: str) -> float:
    return captious.score([candidate], [[reference]], ["rouge_l"]).corpus["rouge_l"]


@pytest.mark.parametrize("words", [62, 63, 64, 80, 126, 127, 389, 1000])
def test_a_caption_of_any_length_is_equal_to_itself(words: int) -> None:
    assert rouge_l("dog " * words, "dog " * words) == 1


def test_a_long_caption_beside_a_short_one() -> None:
    precision, recall = 64 / 389, 1
    expected = (1 + 1.2**2) * precision * recall / (recall + 1.2**2 * precision)
    assert rouge_l("dog " * 389, "dog " * 64) == pytest.approx(expected, abs=1e-15)
