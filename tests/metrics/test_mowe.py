from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.mowe import Mowe
from captious.text.english.word_lists import read_stop_words
from captious.text.tokenizer.tokenizer import tokenize
from captious.text.vectors.word_vectors import WordVectors

ROWS = [
    ("a dog runs on the beach", ["a puppy is on the sand", "the dog and the dog", "two cars"]),
    ("the man rides a red bike", ["a man on a bicycle", "a woman is cooking"]),
    ("xqzzy dog xqzzy", ["a dog"]),
]


def score(rows: list[tuple[str, list[str]]], **options: Any) -> np.ndarray:
    candidates, references = zip(*rows, strict=True)
    return captious.score(candidates, references, [Mowe(**options)]).samples["mowe"]


def mean_vector(caption: str, left_out: Collection[str]) -> np.ndarray:
    table = WordVectors.load()
    rows = table.rows([word for word in tokenize(caption) if word not in left_out])
    return np.asarray(table.at(rows[rows >= 0]).mean(axis=0))


@pytest.mark.parametrize(("variant", "left_out"), [("paper", ()), ("released", read_stop_words())])
@pytest.mark.parametrize("pool", ["max", "mean", "min"])
def test_cosine_of_mean_vectors(variant: str, left_out: Collection[str], pool: str) -> None:
    join: Any = {"max": max, "min": min, "mean": np.mean}[pool]
    expected = []
    for candidate, references in ROWS:
        mine = mean_vector(candidate, left_out)
        others = [mean_vector(reference, left_out) for reference in references]
        expected.append(join([mine @ x / np.sqrt((mine @ mine) * (x @ x)) for x in others]))
    np.testing.assert_allclose(score(ROWS, variant=variant, pool=pool), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("", "", 1.0),
        ("", "a dog", -1.0),
        ("a dog", "", -1.0),
        ("xqzzy", "xqzzy", 1.0),
        ("xqzzy", "zyxxq", -1.0),
        (". , !", "...", 1.0),
    ],
)
def test_captions_without_known_words(candidate: str, reference: str, expected: float) -> None:
    assert score([(candidate, [reference])]).tolist() == [expected]


def test_opposite_vectors_are_worth_as_little_as_none(tmp_path: Path) -> None:
    table = WordVectors.of("own", ["up", "dn"], np.array([[1, 2], [-1, -2]], np.float32))
    table.save(tmp_path / "own.npz")
    options = {"vectors": tmp_path / "own.npz"}
    assert score([("up", ["dn"])], **options) == pytest.approx(-1)
    assert score([("up dn", ["up"])], **options).tolist() == [-1.0]  # no direction at all


def test_signatures_differ_where_scores_do() -> None:
    metrics = [Mowe(), Mowe(variant="released"), Mowe(pool="mean")]
    signatures = [str(metric.signature()) for metric in metrics]
    assert len(set(signatures)) == 3
    assert "stop_words=spacy-3.8.7" in signatures[1] and "stop_words=kept" in signatures[0]


@pytest.mark.parametrize("options", [{"variant": "old"}, {"pool": "sum"}])
def test_unknown_choices_are_errors(options: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"mowe: unknown .*choose one of"):
        Mowe(**options)
