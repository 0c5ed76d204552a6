"""English as one thing: every part is there, and none is loaded before it is asked for."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from captious.text.english import ENGLISH, English

PARTS = [name for name in vars(English) if not name.startswith("_")]
LOADED = """
import sys
import captious.metrics.{metric}
from captious.text.english.word_lists import nouns_for, read_stop_words
assert not nouns_for.cache_info().currsize + read_stop_words.cache_info().currsize
print(*sorted(name.rpartition(".")[2] for name in sys.modules if "text.english." in name))
"""


def test_every_part_is_there() -> None:
    assert all(getattr(ENGLISH, part) for part in PARTS)


def test_words_of_orthography_are_in_lower_case_and_cut_within() -> None:
    words = ENGLISH.orthography
    assert all(word == word.lower() for word in words.ABBREVIATIONS)
    assert words.CAPITALISED_ABBREVIATIONS | words.NEVER_ALL_CAPITALS <= words.ABBREVIATIONS
    assert all(whole.startswith(first) for whole, first in words.JOINED_WORDS.items())


def test_words_with_and_without_an_ending_are_tried_the_longer_first() -> None:
    before = ENGLISH.orthography.WITH_APOSTROPHE_BEFORE
    assert not any(
        later.startswith(word) for place, word in enumerate(before) for later in before[place + 1 :]
    )


def test_expressions_have_as_many_words_as_they_are_said_to_have() -> None:
    grammar = ENGLISH.grammar
    assert {name.count("_") for name in grammar.PREPOSITIONS_OF_TWO_WORDS} == {1}
    assert {name.count("_") for name in grammar.PREPOSITIONS_OF_THREE_WORDS} == {2}
    assert grammar.GOVERNING_PREPOSITIONS < grammar.PREPOSITIONS_OF_TWO_WORDS


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "wmd"])
def test_a_metric_loads_no_part_that_it_does_not_need(metric: Any) -> None:
    command = [sys.executable, "-c", LOADED.format(metric=metric)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert loaded.split() == ["word_lists"]
