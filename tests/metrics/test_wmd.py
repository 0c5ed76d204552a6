from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import captious
from captious._internal.loops import mover
from captious._internal.loops.mover import mover_distances
from captious.errors import InputError
from captious.metrics import wmd
from captious.metrics.wmd import Wmd
from captious.text.analysis import Analysis
from captious.text.vectors.word_vectors import ContentWords, WordVectors
from tests._internal.loops.uncompiled import uncompiled

WORDS = "dog cat puppy runs sleeps beach street red blue ball man woman the a on xqzzy".split()
captions = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
samples = st.lists(
    st.tuples(captions, st.lists(captions, min_size=1, max_size=5)), min_size=1, max_size=6
)


def score(rows: list[tuple[str, list[str]]], **options: Any) -> np.ndarray:
    candidates, references = zip(*rows, strict=True)
    metric = Wmd(**options)
    return captious.score(candidates, references, [metric]).samples["wmd"]


def similarity(candidate: str, reference: str, table: WordVectors) -> float:
    """exp(-d) of one pair, by POT."""
    ot = pytest.importorskip("ot")
    content = ContentWords.of(Analysis([candidate, reference]), table)
    if not content.totals.all():
        same = candidate.split() == reference.split()
        return float(same and not content.totals.any())
    units = content.vectors / np.sqrt((content.vectors**2).sum(axis=1, keepdims=True))
    ends = content.words.offsets
    rows = [content.words.values[ends[side] : ends[side + 1]] for side in (0, 1)]
    shares = [content.counts[ends[side] : ends[side + 1]] / content.totals[side] for side in (0, 1)]
    costs = np.sqrt(((units[rows[0]][:, None] - units[rows[1]][None]) ** 2).sum(axis=2))
    return float(np.exp(-ot.emd2(*shares, costs)))


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(samples, st.sampled_from(["max", "mean", "min"]))
def test_scores_equal_pots(rows: list[tuple[str, list[str]]], pool: str) -> None:
    table = WordVectors.load()
    join: Any = {"max": max, "min": min, "mean": np.mean}[pool]
    expected = [
        join([similarity(candidate, reference, table) for reference in references])
        for candidate, references in rows
    ]
    np.testing.assert_allclose(score(rows, pool=pool), expected, rtol=0, atol=1e-9)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(samples)
def test_bounds_do_not_change_distances(rows: list[tuple[str, list[str]]]) -> None:
    all_pairs = [
        (candidate, [reference]) for candidate, references in rows for reference in references
    ]
    alone = iter(score(all_pairs).tolist())
    expected = [max(next(alone) for _ in references) for _, references in rows]
    assert score(rows).tolist() == expected


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(samples, st.sampled_from(["max", "mean"]))
def test_compiled_and_uncompiled_agree_to_the_last_bit(
    rows: list[tuple[str, list[str]]], pool: str
) -> None:
    usual = score(rows, pool=pool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wmd, "mover_distances", uncompiled(mover).mover_distances)
        assert score(rows, pool=pool).tolist() == usual.tolist()


def test_bounds_avoid_exact_transport_problems(
    candidates: dict[str, str], references: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = []
    exact = mover_distances
    monkeypatch.setattr(wmd, "mover_distances", lambda *given: solved.append(exact(*given)))
    for pool in ("max", "mean"):
        captious.score(candidates, references, [Wmd(pool=pool)])
    assert solved[0] < solved[1] / 2


def test_nearer_meanings_score_higher() -> None:
    near, far, same = score(
        [
            ("a dog runs on the beach", ["a puppy runs on the beach"]),
            ("a dog runs on the beach", ["a train runs on the beach"]),
            ("a dog runs on the beach", ["the dog runs on a beach"]),
        ]
    )
    assert far < near < same == 1.0


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("", "", 1.0),
        ("", "a dog", 0.0),
        ("a dog", "", 0.0),
        ("the of", "the of", 1.0),
        ("the of", "of the", 0.0),
        ("xqzzy", "xqzzy", 1.0),
        ("xqzzy", "a dog", 0.0),
        ("xqzzy dog", "dog", 1.0),
        (". , !", "...", 1.0),
    ],
)
def test_captions_without_known_words(candidate: str, reference: str, expected: float) -> None:
    assert score([(candidate, [reference])]).tolist() == [expected]


def test_unknown_pool_is_an_error() -> None:
    with pytest.raises(InputError, match="wmd: unknown pool 'median'; choose one of: max"):
        Wmd(pool="median")


def test_the_signature_names_vectors_stop_words_and_pool() -> None:
    table = WordVectors.load()
    expected = f"wmd(vectors=glove-6b-100d@{table.fingerprint},pool=max,stop_words=spacy-3.8.7)"
    assert str(Wmd().signature()) == expected


def test_vectors_of_any_length_and_scale(tmp_path: Path) -> None:
    """Lengths do not count, and a number of dimensions that the loop must fill up is no matter."""
    words = ["dog", "cat", "car"]
    vectors = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 0, 1]], np.float32)
    for name, factor in (("one", 1), ("large", 1e18), ("small", 1e-18)):
        path = tmp_path / f"{name}.npz"
        WordVectors.of(name, words, (vectors * factor).astype(np.float32)).save(path)
        near, far = score([("dog", ["cat"]), ("dog", ["car"])], vectors=path)
        assert near == pytest.approx(np.exp(-np.sqrt(0.4)), abs=1e-6)
        assert far == pytest.approx(np.exp(-np.sqrt(2)), abs=1e-6)


def test_long_captions_of_different_words() -> None:
    words = WordVectors.load().words
    first = " ".join(word for word in words[5000:5200] if word.isalpha())
    second = " ".join(word for word in words[7000:7200] if word.isalpha())
    value, other = score([(first, [second]), (second, [first])])
    assert 0.1 < value < 1
    assert value == pytest.approx(other, abs=1e-9)
