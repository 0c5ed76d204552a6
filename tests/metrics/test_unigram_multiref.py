"""Combined references without an encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import captious
from captious.errors import InputError
from captious.metrics.unigram_multiref import UnigramMultiref

REFERENCES = ["A dog and a dog run .", "The dog sees a red ball ."]


def score_caption(candidate: str, references: list[str], **options: Any) -> float:
    metric = UnigramMultiref(**options)
    result = captious.score([candidate], [references], metrics=[metric], cache=False)
    return float(result.corpus["unigram_multiref"])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # dog dog run, then sees red ball: dog is there twice.
        ({}, 3 / 6),
        ({"pooling": "concatenated"}, 4 / 7),
        ({"pooling": "best"}, 2 / 3),
        # a dog and a dog run the sees red ball
        ({"remove_stop_words": False}, 5 / 10),
        # Each word once, as it is written: dog run The sees red ball; A, a and the full stop go.
        ({"variant": "released"}, 2 / 6),
        ({"variant": "released", "remove_stop_words": False}, 4 / 10),
    ],
)
def test_scores_equal_hand_computed_values(options: dict[str, Any], expected: float) -> None:
    assert score_caption("a Red dog . dog red", REFERENCES, **options) == pytest.approx(expected)


def test_nothing_to_match() -> None:
    for variant in ("paper", "released"):
        for candidate, references in (("", ["dog"]), ("dog", [""]), ("", [""]), ("\x00", ["🙂"])):
            assert score_caption(candidate, references, variant=variant) == 0.0


def test_references_of_stop_words_only() -> None:
    assert score_caption("the on a a", ["the on a a"]) == 1.0
    assert score_caption("the on a a", ["the on a a"], variant="released") == 0.0


def test_samples_are_independent() -> None:
    result = captious.score(
        ["cat", "dog"], [["dog"], ["cat", "dog"]], metrics=[UnigramMultiref()], cache=False
    )
    assert result.samples["unigram_multiref"].tolist() == [0.0, 0.5]


def test_unknown_choices_are_errors() -> None:
    with pytest.raises(InputError, match="unknown variant 'mine'"):
        UnigramMultiref(variant="mine")
    with pytest.raises(InputError, match="unknown pooling 'all'"):
        UnigramMultiref(pooling="all")


@pytest.mark.slow
def test_the_papers_figure_on_flickr8k(shared: Path) -> None:
    # Yi et al. 2020, table 3: .471; with another list of stop words.
    from captious.meta import evaluate

    metric = UnigramMultiref(variant="released")
    actual = evaluate("flickr8k-expert", [metric], data=shared / "data", protocol="yi2020")
    agreement = actual.agreements["unigram_multiref"].values["kendall_b"]
    assert agreement == pytest.approx(0.471, abs=0.01)
