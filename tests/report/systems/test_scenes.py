"""Scene graphs as a page shows them."""

from __future__ import annotations

import numpy as np
import pytest

import captious
from captious.corpus import ReferenceColumns
from captious.metrics.spice import CATEGORIES
from captious.report.systems.scenes import CaptionScenes, ReferenceScenes, matched_indices
from captious.samples import References
from tests.metrics.spice_by_graph import matched_counts

SETS = [["a red dog on a bench", "two dogs"], [""]]


def test_references_of_an_image_together_and_captions_alone() -> None:
    references = References.of(ReferenceColumns.of(SETS))
    scenes = ReferenceScenes.of(references)
    assert scenes.tuples[0] == [
        ("dog",),
        ("bench",),
        ("dog", "red"),
        ("dog", "two"),
        ("dog", "on", "bench"),
    ]
    assert scenes.tuples[1] == []
    counts = dict(zip(CATEGORIES, scenes.counts[0].tolist(), strict=True))
    assert counts == {
        "all": 5,
        "object": 2,
        "attribute": 2,
        "relation": 1,
        "color": 1,
        "number": 1,
        "size": 0,
    }
    images = np.array([0, 0, 1])
    captions = CaptionScenes.of(["a red dog", "", "a red dog"], images, references, scenes)
    assert captions.tuples == [[("dog",), ("dog", "red")], [], [("dog",), ("dog", "red")]]
    assert captions.matched == [[0, 1], [], []]
    assert captions.found == [[0, 2], [], []]


def test_synonymous_names_share_a_tuple() -> None:
    references = References.of(ReferenceColumns.of([["a bike", "a bicycle on a road"]]))
    assert ("bike/bicycle", "on", "road") in ReferenceScenes.of(references).tuples[0]


@pytest.mark.slow
def test_matches_are_those_that_spice_counts() -> None:
    words = "red large two dog dogs bike bicycle man guy on near a the riding sits".split()
    rng = np.random.default_rng(0)
    for _ in range(60):
        candidate, reference = (
            captious.scene_graph([" ".join(rng.choice(words, rng.integers(1, 12)))] * 2)
            for _ in range(2)
        )
        matched, found = matched_indices(candidate, reference)
        assert len(matched) == matched_counts(candidate, reference)[0]
        assert bool(matched) == bool(found)


def test_synonyms_match() -> None:
    candidate = captious.scene_graph("a bicycle")
    reference = captious.scene_graph(["a dog", "a bike", "a motorcycle"])
    assert matched_indices(candidate, reference) == ([0], [1])
