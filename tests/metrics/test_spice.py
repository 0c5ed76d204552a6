"""SPICE from the original's tuples beside the original's scores."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious._internal.arrays.ragged import Ragged
from captious.metrics.spice import (
    CATEGORIES,
    CATEGORY_OF,
    Spice,
    TupleCounts,
    spice_statistics,
    tuple_counts,
)
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.scene.merged_graphs import MergedGraphs
from captious.text.scene.scene_graph import SceneGraph
from captious.text.scene.scene_tuples import SceneTuples
from captious.text.tokens import Tokens
from tests.metrics.spice_by_graph import matched_counts
from tests.text.scene.original_spice import original_tuples

ORIGINAL_NAMES = ("f", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size")


def statistics(
    samples: list[tuple[str, list[str]]],
    tuples: dict[str, list[tuple[str, ...]]],
    monkeypatch: pytest.MonkeyPatch,
) -> np.ndarray:
    """Spice's statistics of (candidate, references), with tuples that are known by caption."""

    def build(analysis: Analysis) -> SceneTuples:
        captions = map(" ".join, analysis.layer(Tokens).words)
        return SceneTuples([tuples.get(caption, []) for caption in captions])

    monkeypatch.setattr(SceneTuples, "build", build)
    sets = [references for _, references in samples]
    offsets = np.concatenate([[0], np.cumsum([len(references) for references in sets])])
    references = References([caption for captions in sets for caption in captions], offsets)
    spice = Spice()
    prepared = spice.prepare(references)
    candidates = [candidate for candidate, _ in samples]
    return spice.statistics(Samples(candidates, np.arange(len(sets)), references), prepared)


Tuples = list[tuple[str, ...]]


def statistics_of(candidates: list[Tuples], references: list[Tuples]) -> np.ndarray:
    rows = np.arange(len(references))
    alone = Ragged(rows, np.arange(len(references) + 1))
    theirs = MergedGraphs.of(references, alone, CATEGORY_OF)
    ours = MergedGraphs.of(candidates, alone, CATEGORY_OF, theirs)
    counts = TupleCounts.of(ours, rows.tolist(), theirs, rows.tolist())
    for ours_alone, theirs_alone, *row in zip(candidates, references, *counts, strict=True):
        candidate, reference = SceneGraph.of(ours_alone), SceneGraph.of(theirs_alone)
        assert [each.tolist() for each in row] == [
            matched_counts(candidate, reference),
            tuple_counts(candidate),
            tuple_counts(reference),
        ]
    return spice_statistics(counts)


TUPLES = {
    "a white dog": [("dog", "white"), ("dog",)],
    "a dog on a sofa": [("dog", "sofa", "on"), ("dog",), ("sofa",)],
    "the puppy is on the couch": [("puppy", "couch", "on"), ("puppy",), ("couch",)],
    "two dogs": [("dog", "two"), ("dog",)],
}


def test_worked_example(monkeypatch: pytest.MonkeyPatch) -> None:
    # Candidate: dog, white. References: dog, sofa (with couch), puppy, two relations, and two.
    samples = [
        ("a white dog", ["a dog on a sofa", "the puppy is on the couch", "two dogs"]),
        ("two dogs", ["two dogs"]),
        ("", ["a white dog"]),
    ]
    actual = statistics(samples, TUPLES, monkeypatch)
    names = dict(zip(Spice.statistic_names, actual.T.tolist(), strict=True))
    assert names["spice"] == pytest.approx([2 * 1 / (2 + 6), 1, 0])
    assert names["spice_object"] == pytest.approx([2 / (1 + 3), 1, 0])
    assert names["spice_number"] == [0, 1, 0]
    assert names["number_samples"] == [1, 1, 0]
    assert names["color_samples"] == [0, 0, 1]
    corpus = dict(zip(Spice.columns, Spice().scores(actual.sum(axis=0)).tolist(), strict=True))
    assert corpus["spice"] == pytest.approx((0.25 + 1) / 3)
    assert corpus["spice_number"] == 0.5  # undefined for the third sample
    assert corpus["spice_size"] == 0  # undefined for all
    assert np.isfinite(Spice().scores(actual)).all()


def test_a_colour_counts_as_one_only_beside_a_colour() -> None:
    """The original looks for a category's tuples among those of that category."""
    candidate = SceneGraph.of([("toilet", "white")])
    reference = SceneGraph.of([("toilet", "clean"), ("toilet", "white")])
    assert [attribute.words for _, attribute in reference.attributes] == [["clean", "white"]]
    matched = dict(zip(CATEGORIES, matched_counts(candidate, reference), strict=True))
    assert (matched["attribute"], matched["color"]) == (1, 0)
    assert tuple_counts(reference)[CATEGORIES.index("color")] == 0


names = st.sampled_from(["dog", "puppy", "couch", "sofa", "red", "two", "on", "big", "large", "q"])
rows = st.lists(st.lists(names, min_size=1, max_size=3).map(tuple), min_size=1, max_size=12)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(rows)
def test_equal_tuples_score_one(tuples: list[tuple[str, ...]]) -> None:
    actual = statistics_of([tuples], [tuples])[0]
    scores, defined = actual[: len(CATEGORIES)], actual[len(CATEGORIES) :]
    assert actual[0] == 1
    assert (scores == defined).all()


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(rows, rows)
def test_scores_lie_between_0_and_1(
    one: list[tuple[str, ...]], other: list[tuple[str, ...]]
) -> None:
    actual = statistics_of([one], [other])
    assert (actual >= 0).all() and (actual <= 1).all()


def test_no_tuples_at_all_score_0() -> None:
    nothing: Tuples = []
    assert Spice().scores(statistics_of([nothing], [nothing])).tolist() == [[0.0] * 7]
    assert statistics_of([], []).shape == (0, 14)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coco_1000_dai2017", "coco_1000_liu2017"])
def test_scores_equal_the_originals(
    shared: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions = json.loads(gzip.decompress((shared / "parity" / f"{name}.json.gz").read_bytes()))
    path = shared / "parity" / "spice" / f"{name}.json.gz"
    original = json.loads(gzip.decompress(path.read_bytes()))["rows"]
    samples = [(row["candidate"], row["references"]) for row in captions["rows"]]
    words = Tokens.build(_analysis([text for c, r in samples for text in (c, *r)])).words
    tuples = original_tuples(shared, set(map(" ".join, words)))
    actual = statistics(samples, tuples, monkeypatch)
    for column, category in enumerate(ORIGINAL_NAMES):
        expected = [row[category] for row in original]
        defined = np.array([value is not None for value in expected])
        assert (actual[:, len(CATEGORIES) + column] == defined).mean() >= 0.999
        apart = np.abs(actual[:, column] - np.array([value or 0.0 for value in expected]))
        assert (apart < 1e-6).mean() >= 0.999


def _analysis(captions: list[str]) -> Analysis:
    from captious.text.analysis import Analysis

    return Analysis(captions)
