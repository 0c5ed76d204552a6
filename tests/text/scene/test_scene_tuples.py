"""The layer of scene tuples, and what the cache keeps of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import captious
from captious.io.cache import AnalysisCache
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses, Sentence, parse_rows
from captious.text.scene import scene_tuples
from captious.text.scene.scene_tuples import RULES_VERSION, SceneTuples

CAPTIONS = ["a dog on a bench", "two cats sleep", "a dog on a bench near a tree", "!"]


def test_rules_version_changes_with_the_tuples(
    references: dict[str, list[str]],
) -> None:
    """The cache keeps tuples by this number: a rule that changes makes it a new one."""
    captions = [caption for several in references.values() for caption in several]
    tuples = Analysis(captions).layer(SceneTuples).tuples
    digest = hashlib.sha256(json.dumps(tuples).encode()).hexdigest()[:12]
    assert (RULES_VERSION, digest) == (1, "8c5ffdfdf253")


def test_cached_captions_are_not_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = AnalysisCache(tmp_path)
    first = Analysis(CAPTIONS[:2], cache=cache).layer(SceneTuples).tuples
    asked: list[int] = []

    def spy(analysis: Analysis, rows: list[int]) -> list[tuple[Sentence, ...]]:
        asked.extend(rows)
        return parse_rows(analysis, rows)

    monkeypatch.setattr(scene_tuples, "parse_rows", spy)
    analysis = Analysis(CAPTIONS, cache=cache)
    found = analysis.layer(SceneTuples).tuples
    assert asked == [2, 3]
    assert found[:2] == first
    assert found == Analysis(CAPTIONS).layer(SceneTuples).tuples
    assert len(analysis.layer(Parses).sentences) == len(CAPTIONS)


def test_scene_graph_of_one_caption_and_of_several() -> None:
    graph = captious.scene_graph("a big dog")
    assert graph.to_dict() == {
        "objects": [{"words": ["dog"], "attributes": [["big"]]}],
        "relations": [],
    }
    assert len(captious.scene_graph(["a dog", "a dog", "a cat"]).objects) == 2
