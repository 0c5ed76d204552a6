"""WordNet: synsets and base forms as METEOR finds them, and hypernyms."""

from __future__ import annotations

import gzip
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.english import ENGLISH
from captious.text.english.wordnet import (
    SENSES,
    SHIPPED_HYPERNYMS,
    Hypernyms,
    Synonyms,
    open_synonyms,
)
from captious.text.language import NOUN, VERB

synsets = ENGLISH.synonyms.synsets

# METEOR's answers (its jar was asked).
SYNSETS = {
    "wolves": [1169205, 2114100, 9845589, 10787197, 11394214, 11394398],
    "surfboard": [1948077, 4363559],
    "running shoe": [],
    "hot_dog": [7676602, 7697537, 10187710],
    "geese": [1225867, 1231061, 1457079, 1855672, 7646821, 10157744],
    "boxes": [
        135148,
        1419982,
        1420765,
        1485158,
        2883344,
        2884011,
        2884225,
        2884450,
        2884607,
        12746106,
        13765624,
        13883494,
        14408951,
    ],
    "zzz": [],
    "": [],
}


@pytest.mark.parametrize("word", SYNSETS)
def test_synsets_match_meteor(word: str) -> None:
    assert sorted(synsets(word)) == SYNSETS[word]


def test_base_forms_are_found_by_exception_and_by_ending() -> None:
    assert synsets("wolves") >= synsets("wolf")
    assert synsets("surfboards") == synsets("surfboard")
    assert synsets("grass").isdisjoint(synsets("gras"))


def test_rows_hold_what_indices_give() -> None:
    synonyms = open_synonyms()
    words = ["wolves", "zzz", "boxes"]
    rows = synonyms.rows(words)
    for place, word in enumerate(words):
        row = rows.values[rows.offsets[place] : rows.offsets[place + 1]]
        assert np.array_equal(row, synonyms.indices(word))
        assert frozenset(synonyms.numbers[row].tolist()) == synsets(word)
    assert len(synonyms.rows([]).values) == 0


def test_any_text_can_be_looked_up() -> None:
    for word in ["\udcff", "\n", "a\nb", "é", "s" * 10_000, "\0"]:
        assert synsets(word) == frozenset()


def test_pickles_and_serves_threads() -> None:
    synonyms = pickle.loads(pickle.dumps(Synonyms()))
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(synonyms.synsets("wolves")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) == {synsets("wolves")}


@pytest.mark.slow
def test_many_lookups_give_the_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "wolves dog zzzz hot_dog running ! a 's geese".split()
    few = [Synonyms().synsets(word) for word in words]
    monkeypatch.setattr("captious.text.english.wordnet.MAX_UNLISTED_LOOKUPS", 0)
    assert [Synonyms().synsets(word) for word in words] == few
    assert any(few)


@pytest.mark.slow
def test_synsets_of_every_name_in_spices_graphs(shared: Path) -> None:
    """What SPICE, which asks METEOR's tables, gives to 34,812 names of real captions."""
    with gzip.open(shared / "parity" / "spice" / "synsets.tsv.gz", "rt", encoding="utf-8") as rows:
        for row in rows:
            name, *numbers = row.rstrip("\n").split("\t")
            expected = {int(number) for field in numbers for number in field.split()}
            assert synsets(name.replace(" ", "_")) == expected, name


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
    path.write_bytes(SHIPPED_HYPERNYMS.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"broader\.npz: not a file of broader words"):
        Hypernyms.load(path)
