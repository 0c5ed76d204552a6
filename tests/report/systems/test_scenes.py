"""Scene graphs as a page shows them."""

from __future__ import annotations

from captious.corpus import ReferenceColumns
from captious.metrics.spice.overlap import CATEGORIES
from captious.report.systems.scenes import ReferenceScenes, caption_scenes
from captious.samples import References

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
    assert caption_scenes(["a cat", "", "a cat"], references) == [[("cat",)], [], [("cat",)]]


def test_names_of_one_thing_stand_together() -> None:
    references = References.of(ReferenceColumns.of([["a bike", "a bicycle on a road"]]))
    assert ("bike/bicycle", "on", "road") in ReferenceScenes.of(references).tuples[0]
