"""captious graph and captious cache: what they draw, keep and clear."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import captious, score

CAPTION = "a brown dog is lying on a couch next to two cats"


def test_a_graph_as_text_and_json() -> None:
    done = captious("graph", CAPTION)
    assert done.returncode == 0, done.stderr
    assert "lie on couch" in done.stdout
    data = json.loads(captious("graph", CAPTION, "--format", "json").stdout)
    assert {"words": ["dog"], "attributes": [["brown"]]} in data["objects"]
    assert {"subject": 0, "words": ["lie on"], "object": 1} in data["relations"]


def test_several_captions_make_one_graph() -> None:
    data = json.loads(captious("graph", "a sofa", "a red couch", "--format", "json").stdout)
    assert data["objects"] == [{"words": ["sofa", "couch"], "attributes": [["red"]]}]


def test_a_drawing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "graph.svg"
    assert captious("graph", CAPTION, "--output", path).returncode == 0
    drawing = ElementTree.parse(path).getroot()
    assert "couch" in "".join(drawing.itertext())


def test_a_drawing_is_svg(tmp_path: Path) -> None:
    done = captious("graph", CAPTION, "--output", tmp_path / "graph.png")
    assert done.returncode == 2
    assert done.stderr.startswith("captious: error:") and ".svg" in done.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_to_draw_is_an_error() -> None:
    done = captious("graph", "")
    assert done.returncode == 0
    assert "no objects" in done.stderr


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries() -> Any:
    return json.loads(captious("cache", "info", "--format", "json").stdout)["entries"]


@pytest.mark.slow
def test_the_cache_is_filled_shown_and_cleared(own_cache: Path) -> None:
    assert entries() == {}
    first = score("--metrics", "spice", "--format", "json")
    assert first.returncode == 0, first.stderr
    assert sum(entries().values()) > 200
    assert score("--metrics", "spice", "--format", "json").stdout == first.stdout
    assert captious("cache", "clear").returncode == 0
    assert entries() == {}


def test_the_cache_can_be_left_alone(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert score("--metrics", "spice", "--no-cache").returncode == 0
    assert not own_cache.exists()
    monkeypatch.setenv("CAPTIOUS_CACHE", "off")
    assert "off" in captious("cache", "info").stderr
