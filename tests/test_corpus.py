from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import captious
from captious.corpus import Corpus
from captious.errors import InputError


def test_dicts_are_matched_by_id_and_unused_references_counted() -> None:
    corpus = Corpus.of({"b": "x", "a": "y"}, {"a": ["1"], "b": ["2", "3"], "c": ["4"]})
    assert corpus.references.ids == ["b", "a"]
    assert corpus.references.captions == ["2", "3", "1"]
    assert corpus.unused_references == 1


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        ([], [], "no samples"),
        (["a"], [], "1 candidates but 0 sets"),
        ({"a": "x"}, {"b": ["y"]}, "id 'a': has a candidate but no references"),
        ({"a": "x"}, {"a": []}, "id 'a': no references"),
        ({"a": None}, {"a": ["y"]}, "id 'a': the candidate must be a string"),
        ({"a": "x"}, {"a": [None]}, "id 'a': a reference must be a string"),
        ({"a": "x"}, {"a": b"y"}, "id 'a': references must be a list of strings"),
        ({"a": "x"}, [["y"]], "both be lists, or both dicts"),
        ("caption", [["y"]], "candidates: a list or a dict"),
        (["a"], "b", "references: a list or a dict"),
    ],
)
def test_unscorable_corpora_are_errors(candidates: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Corpus.of(candidates, references)


def corpus_of_three() -> Corpus:
    corpus = Corpus.of(
        {"a": "x", "b": "y", "c": "z"},
        {"a": ["1"], "b": ["2", "3"], "c": ["4", "5", "6"], "d": ["7"]},
    )
    return replace(corpus, references=replace(corpus.references, images=["p", "q", "p"]))


def test_some_rows_are_taken_with_all_their_columns() -> None:
    some = corpus_of_three().take([2, 1])
    assert some.candidates == ["z", "y"]
    assert some.references.ids == ["c", "b"]
    assert some.references.captions == ["4", "5", "6", "2", "3"]
    assert some.references.offsets.tolist() == [0, 3, 5]
    assert some.references.image_names == ["p", "q"]
    assert some.unused_references == 1
    assert corpus_of_three().take(np.array([0, 1, 2])).references.captions == list("123456")


def test_samples_are_left_out_by_the_names_of_their_images() -> None:
    assert corpus_of_three().without_images({"p": "torn"}).candidates == ["y"]
    by_id = Corpus.of({"a": "x", 7: "y"}, {"a": ["1"], 7: ["2"]})
    assert by_id.references.images is None
    assert by_id.without_images(["7"]).references.ids == ["a"]


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_a_part_is_scored_like_a_corpus_of_its_own() -> None:
    part = captious.score(corpus_of_three().take([1, 2]), metrics=["bleu", "cider_d"])
    alone = captious.score(
        {"b": "y", "c": "z"}, {"b": ["2", "3"], "c": ["4", "5", "6"]}, ["bleu", "cider_d"]
    )
    assert part.corpus == alone.corpus and part.ids == alone.ids


def test_invalid_selections_are_errors() -> None:
    corpus = corpus_of_three()
    with pytest.raises(InputError, match="no samples are left"):
        corpus.take([])
    with pytest.raises(InputError, match="no samples are left"):
        corpus.without_images(["p", "q"])
    with pytest.raises(InputError, match="a row is taken twice"):
        corpus.take([1, 1])
    with pytest.raises(InputError, match="have no names"):
        Corpus.of(["x"], [["1"]]).without_images(["0"])
