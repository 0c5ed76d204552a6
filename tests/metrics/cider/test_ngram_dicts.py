"""Document frequencies from pickles and dicts are those that are counted from references."""

from __future__ import annotations

import gzip
import os
import pickle
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.cider.document_frequencies import DocumentFrequencies

REFERENCES = [
    ["a dog runs fast today", "the dog", "a dog"],
    ["a cat", "a dog sits on a mat"],
    ["a cat on the mat", "zebra"],
]


def count_ngrams() -> dict[tuple[str, ...], float]:
    counts: dict[tuple[str, ...], float] = defaultdict(float)
    for captions in REFERENCES:
        ngrams = {
            tuple(words[start : start + n])
            for words in map(str.split, captions)
            for n in (1, 2, 3, 4)
            for start in range(len(words) - n + 1)
        }
        for ngram in ngrams:
            counts[ngram] += 1
    return counts


@pytest.fixture
def collected() -> DocumentFrequencies:
    return DocumentFrequencies.collect(REFERENCES, tokenizer="whitespace")


def test_dict_equals_frequencies_of_references(collected: DocumentFrequencies) -> None:
    made = DocumentFrequencies.of_counts(count_ngrams(), 3)
    assert made.fingerprint == collected.fingerprint
    assert made.sizes == collected.sizes
    backwards = dict(reversed(list(count_ngrams().items())))
    assert DocumentFrequencies.of_counts(backwards, 3).fingerprint == collected.fingerprint


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("documents", [3, 3.0, np.int64(3), np.float64(3)])
def test_pickle_equals_frequencies_of_references(
    protocol: int, documents: Any, collected: DocumentFrequencies, tmp_path: Path
) -> None:
    contents = pickle.dumps({"document_frequency": count_ngrams(), "ref_len": documents}, protocol)
    (tmp_path / "df.p").write_bytes(contents)
    (tmp_path / "df.pkl.gz").write_bytes(gzip.compress(contents))
    for name in ("df.p", "df.pkl.gz"):
        assert DocumentFrequencies.load(tmp_path / name).fingerprint == collected.fingerprint


def test_pickle_is_accepted_wherever_document_frequencies_are(
    collected: DocumentFrequencies, tmp_path: Path
) -> None:
    path = tmp_path / "df.p"
    path.write_bytes(pickle.dumps({"document_frequency": count_ngrams(), "ref_len": 3}, 2))
    collected.save(tmp_path / "df.npz")
    with pytest.warns(captious.CaptiousWarning, match="3 image"):
        scores = [
            captious.score(["a dog on a mat"], [["a dog"]], "cider_d,cider", df=df).corpus
            for df in (path, str(path), tmp_path / "df.npz", collected)
        ]
    assert all(score == scores[0] for score in scores)
    assert scores[0]["cider_d"] > 0


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_n_grams_whose_beginnings_are_missing_count_as_before() -> None:
    without = {ngram: count for ngram, count in count_ngrams().items() if ngram != ("a", "dog")}
    made = DocumentFrequencies.of_counts({**without, ("a", "dog", "runs"): 2}, 3)
    scores = [
        captious.score(["a dog runs"], [["a dog runs fast"]], "cider_d", df=df).corpus["cider_d"]
        for df in (made, DocumentFrequencies.of_counts({**without, ("a", "dog", "runs"): 2,
                                                        ("a", "dog"): 0}, 3))
    ]  # fmt: skip
    assert scores[0] == scores[1]
    assert DocumentFrequencies.of_counts({}, 3).sizes == [0, 0, 0, 0]


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_rare_n_grams_are_left_out_unless_others_begin_with_them(tmp_path: Path) -> None:
    odd = DocumentFrequencies.of_counts(
        {("a",): 1, ("a", "dog"): 3, ("the", "old", "cat"): 2, ("old",): 1, ("cat",): 2}, 9
    )
    compact = odd.without_rare()
    compact.save(tmp_path / "compact.npz")
    scores = [
        captious.score(["a dog"], [["the old cat", "a dog"]], "cider_d", df=df).corpus["cider_d"]
        for df in (odd, compact, tmp_path / "compact.npz")
    ]
    assert scores[0] == scores[1] == scores[2]
    assert compact.sizes == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        ([1], "no document frequencies"),
        ({"ref_len": 3}, "no document frequencies"),
        ({"document_frequency": [], "ref_len": 3}, "a dict from n-grams"),
        ({"document_frequency": {}, "ref_len": "3"}, "number of images"),
        ({"document_frequency": {}, "ref_len": True}, "number of images"),
        ({"document_frequency": {}, "ref_len": 2.5}, "number of images"),
        ({"document_frequency": {}, "ref_len": float("nan")}, "number of images"),
        ({"document_frequency": {}, "ref_len": float("inf")}, "number of images"),
        ({"document_frequency": {}, "ref_len": 0}, "documents"),
        ({"document_frequency": {"a": 1}, "ref_len": 3}, "a tuple of one to 4 words"),
        ({"document_frequency": {(): 1}, "ref_len": 3}, "a tuple of one to 4 words"),
        ({"document_frequency": {("a",) * 5: 1}, "ref_len": 3}, "a tuple of one to 4 words"),
        ({"document_frequency": {(1,): 1}, "ref_len": 3}, "a tuple of one to 4 words"),
        ({"document_frequency": {("a b",): 1}, "ref_len": 3}, "without white space"),
        ({"document_frequency": {("",): 1}, "ref_len": 3}, "without white space"),
        ({"document_frequency": {("a",): 4}, "ref_len": 3}, "'a'.*at most the 3 documents"),
        ({"document_frequency": {("a",): -1}, "ref_len": 3}, "at most the 3 documents"),
        ({"document_frequency": {("a",): 1.5}, "ref_len": 3}, "at most the 3 documents"),
        ({"document_frequency": {("a",): float("nan")}, "ref_len": 3}, "at most the 3"),
        ({"document_frequency": {("a",): "1"}, "ref_len": 3}, "at most the 3 documents"),
        ({"document_frequency": {("a",): None}, "ref_len": 3}, "at most the 3 documents"),
        ({"document_frequency": {("a",): [1]}, "ref_len": 3}, "at most the 3 documents"),
    ],
)
def test_invalid_counts_are_errors(contents: Any, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "df.p"
    path.write_bytes(pickle.dumps(contents))
    with pytest.raises(InputError, match=reason) as caught:
        DocumentFrequencies.load(path)
    assert str(path) in str(caught.value)


def test_a_hostile_pickle_is_refused_wherever_a_df_is_given(tmp_path: Path) -> None:
    path, ran = tmp_path / "df.p", tmp_path / "ran"

    class Hostile:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {ran}",)

    path.write_bytes(pickle.dumps({"document_frequency": Hostile(), "ref_len": 3}))
    with pytest.raises(InputError, match="system"):
        captious.score(["a"], [["a"]], "cider_d", df=path)
    assert not ran.exists()
