"""Captions cut into sentences, as they are written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.text.analysis import Analysis
from captious.text.sentence_rules import _ends, _ends_behind_marks, split_into_sentences
from captious.text.sentences import Sentences


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A dog.", ["A dog."]),
        ("A dog. ", ["A dog. "]),
        ("", [""]),
        ("...", ["..."]),
        ("A man and a dog. The dog runs", ["A man and a dog.", "The dog runs"]),
        ("a dog . the cat . ", ["a dog .", "the cat ."]),
        ("What?! A dog!", ["What?!", "A dog!"]),
        ('A sign reads "STOP." It is red.', ['A sign reads "STOP."', "It is red."]),
        ("St. Bernard on a U.S. truck. Yes.", ["St. Bernard on a U.S. truck.", "Yes."]),
        ("at 5 p.m. he walks", ["at 5 p.m. he walks"]),
        ("It costs 3.5 dollars", ["It costs 3.5 dollars"]),
        ("1. A man.\n2. A dog (brown).\n\n- 3 cats\n", ["A man.", "A dog (brown).", "- 3 cats"]),
        ("A dog\nruns on grass", ["A dog\nruns on grass"]),
        ("A dog\r\n\r\nA cat", ["A dog", "A cat"]),
        ("A dog\u2028A cat", ["A dog", "A cat"]),
        (
            "\u72d7\u5728\u8dd1\u3002\u732b\u5728\u7761\u3002",
            ["\u72d7\u5728\u8dd1\u3002", "\u732b\u5728\u7761\u3002"],
        ),
        ("1. 2. 3.", ["1. 2. 3."]),
        (f"Yes.{')' * 39} No", [f"Yes.{')' * 39}", "No"]),
        (f"Yes.{')' * 40} No", [f"Yes.{')' * 40} No"]),  # too far from the mark
    ],
)
def test_known_captions(caption: str, expected: list[str]) -> None:
    assert split_into_sentences(caption) == expected


@given(st.text(alphabet="aA1.!?\n -\u3002\"'", max_size=40))
def test_no_word_is_lost(caption: str) -> None:
    found = split_into_sentences(caption)
    assert found
    letters = [letter for sentence in found for letter in sentence if letter in "aA"]
    # The letter of an item of a list may go: `a.` alone in its line.
    assert len(letters) <= sum(letter in "aA" for letter in caption)
    assert all(sentence in caption for sentence in found)


@given(
    st.lists(st.sampled_from([*"aA1.!?\u2026 \t-)\"'\xa0", "St.", "U.S. ", ")" * 40])).map("".join)
)
def test_gaps_behind_marks_are_all_that_can_end_a_sentence(caption: str) -> None:
    assert list(_ends_behind_marks(caption)) == list(_ends(caption))


def test_layer_holds_captions_of_several_sentences() -> None:
    captions = ["A dog.", "A dog. A cat.", "a cat", "Yes\nNo \u00e9.", "One. Two."]
    layer = Analysis(captions).layer(Sentences)
    assert layer.texts == ["A dog.", "A cat.", "Yes", "No \u00e9.", "One.", "Two."]
    assert layer.offsets.tolist() == [0, 0, 2, 2, 4, 6]
    assert layer.has_several.tolist() == [False, True, False, True, True]


@pytest.mark.parametrize(
    ("rows", "texts", "offsets"),
    [
        ([0, 2], ["A dog.", "a cat"], [0, 1, 2]),
        ([1, 1], ["A dog.", "A cat."] * 2, [0, 2, 4]),
        ([2, 1, 0], ["a cat", "A dog.", "A cat.", "A dog."], [0, 1, 3, 4]),
        ([], [], [0]),
    ],
)
def test_sentences_of_some_captions(rows: list[int], texts: list[str], offsets: list[int]) -> None:
    analysis = Analysis(["A dog.", "A dog. A cat.", "a cat"])
    actual = analysis.layer(Sentences).of_captions(np.array(rows, np.int64), analysis)
    assert (actual[0], actual[1].tolist()) == (texts, offsets)


def test_captions_of_one_sentence_are_their_only_sentence() -> None:
    analysis = Analysis(["A dog.", ""])
    texts, offsets = analysis.layer(Sentences).of_captions(np.array([1, 0]), analysis)
    assert (texts, offsets.tolist()) == (["", "A dog."], [0, 1, 2])


@pytest.mark.slow
def test_long_texts_are_cut_in_linear_time() -> None:
    assert len(split_into_sentences("A dog runs. " * 50_000)) == 50_000
    assert split_into_sentences("a" * 1_000_000) == ["a" * 1_000_000]
    assert len(split_into_sentences("." * 100_000 + " a")) <= 2
    assert split_into_sentences("a. " * 50_000)
