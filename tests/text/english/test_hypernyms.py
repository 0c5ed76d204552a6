"""Broader words, as WordNet has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.english import ENGLISH
from captious.text.english.hypernyms import SENSES, SHIPPED, Hypernyms
from captious.text.language import NOUN, VERB


@pytest.mark.parametrize(
    ("narrow", "broad", "part"),
    [("dog", "animal", NOUN), ("pizza", "food", NOUN), ("woman", "person", NOUN),
     ("sofa", "couch", NOUN), ("run", "move", VERB)],
)  # fmt: skip
def test_hypernyms_include_broader_words(narrow: str, broad: str, part: str) -> None:
    table = ENGLISH.hypernyms
    assert not table.with_hypernyms(narrow, part).isdisjoint(table.senses_of(broad, part))


@pytest.mark.parametrize(("word", "other"), [("dog", "cat"), ("animal", "dog"), ("dog", "zyzzxq")])
def test_hypernyms_exclude_unrelated_words(word: str, other: str) -> None:
    table = ENGLISH.hypernyms
    assert table.with_hypernyms(word, NOUN).isdisjoint(table.senses_of(other, NOUN))


def test_unknown_words_and_other_parts_of_speech_mean_nothing() -> None:
    table = ENGLISH.hypernyms
    assert not table.senses_of("zyzzxq", NOUN) and not table.with_hypernyms("zyzzxq", VERB)
    assert not table.senses_of("giraffe", VERB)
    assert 1 <= len(table.senses_of("run", VERB)) <= SENSES


def test_cycles_of_hypernyms_end() -> None:
    nouns = np.array([[0, -1], [1, -1]], np.int32)
    verbs = np.full((2, 2), -1, np.int32)
    table = Hypernyms.of(["a", "b"], nouns, verbs, np.array([[0, 1], [1, 0]], np.int32))
    assert table.with_hypernyms("a", NOUN) == table.with_hypernyms("b", NOUN) == {0, 1}


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broader.npz"
    path.write_bytes(SHIPPED.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"broader\.npz: not a file of broader words"):
        Hypernyms.load(path)
