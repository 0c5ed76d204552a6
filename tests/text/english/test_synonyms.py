"""WordNet synsets and base forms, as METEOR finds them."""

from __future__ import annotations

import gzip
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

from captious.text.english import ENGLISH
from captious.text.english.synonyms import Synonyms, open_synonyms

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
    monkeypatch.setattr("captious.text.english.synonyms.MAX_UNLISTED_LOOKUPS", 0)
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
