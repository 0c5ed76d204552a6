"""Captions that game a metric: what each is made of."""

from __future__ import annotations

from collections import Counter

import pytest

from captious.meta.robustness.captioned_images import CaptionedImages, Worsened
from captious.meta.robustness.gaming import GAMES, gaming_captions
from tests.made_up.captioned_images import made_up


@pytest.fixture(scope="module")
def data() -> CaptionedImages:
    return made_up()


@pytest.fixture(scope="module")
def worsened(data: CaptionedImages) -> dict[str, Worsened]:
    return gaming_captions(data)


def text_of(worsened: dict[str, Worsened], kind: str, row: int) -> str:
    texts = worsened[kind].texts
    return str(texts[worsened[kind].rows.tolist().index(row)])


def test_clause_is_repeated(data: CaptionedImages, worsened: dict[str, Worsened]) -> None:
    assert tuple(worsened) == GAMES
    assert text_of(worsened, "repeated_clause", 3) == (
        "a woman walks on the street and walks on the street"
    )
    # The auxiliary is no clause.
    assert text_of(worsened, "repeated_clause", 0) == (
        "a young man is running on the beach and running on the beach"
    )
    assert data.texts.index("a brown dog with its owner") not in worsened["repeated_clause"].rows


def test_a_caption_breaks_off_before_its_last_noun(worsened: dict[str, Worsened]) -> None:
    assert text_of(worsened, "cut_off", 3) == "a woman walks on the"
    assert text_of(worsened, "cut_off", 0) == "a young man is running on the"


def test_too_little_is_not_cut(data: CaptionedImages) -> None:
    short = gaming_captions(CaptionedImages.of({"a": ["a dog", "a dog runs"]}))
    assert short["cut_off"].texts == []


def test_words_are_those_that_most_references_hold(
    data: CaptionedImages, worsened: dict[str, Worsened]
) -> None:
    rows, texts = worsened["reference_words"]
    assert rows.tolist() == list(range(len(data)))
    for row, text in enumerate(texts):
        words = text.split()
        counts = Counter(word for other in data.others(row) for word in set(data.tokens[other]))
        assert len(words) == len(set(words)) == min(len(data.tokens[row]), len(counts))
        unused = [count for word, count in counts.items() if word not in words]
        assert min(counts[word] for word in words) >= max(unused, default=0)


def test_the_seed_decides(data: CaptionedImages, worsened: dict[str, Worsened]) -> None:
    assert gaming_captions(data)["reference_words"].texts == worsened["reference_words"].texts
    assert gaming_captions(data, 1)["reference_words"].texts != worsened["reference_words"].texts
