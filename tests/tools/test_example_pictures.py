"""The examples' pictures are those that our tool draws, and belong to the examples' captions."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.images.folder import ImageFolder
from tests.places import EXAMPLES, ROOT

PICTURES = sorted((EXAMPLES / "pictures").glob("*.png"))
MAX_BYTES = 30_000  # that a clone is to fetch for a picture
NEARLY = 3.0  # another Pillow may choose slightly other colours: the mean difference of 256


@pytest.fixture
def scenes(monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("PIL")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("example_pictures.scenes").SCENES


def pixels(path: Path) -> Any:
    from PIL import Image

    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), np.float64)


def test_every_picture_is_found_by_the_id_of_captions() -> None:
    lines = (EXAMPLES / "references.jsonl").read_text(encoding="utf-8").splitlines()
    ids = {json.loads(line)["id"] for line in lines}
    folder = ImageFolder(EXAMPLES / "pictures")
    assert len(PICTURES) >= 2
    for path in PICTURES:
        assert path.stem in ids
        assert folder.find(path.stem) == path
        assert path.stat().st_size < MAX_BYTES


@pytest.mark.slow
def test_the_pictures_are_what_the_tool_draws(scenes: Any, tmp_path: Path) -> None:
    assert [path.stem for path in PICTURES] == sorted(scenes)
    for path in PICTURES:
        scenes[path.stem]().save(tmp_path / path.name)
        drawn, kept = pixels(tmp_path / path.name), pixels(path)
        assert drawn.shape == kept.shape == (400, 600, 3)
        assert np.abs(drawn - kept).mean() < NEARLY, path.name
