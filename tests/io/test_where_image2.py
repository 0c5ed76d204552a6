"""Several systems' captions in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from captious.io.where_image2 import read_systems


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def test_systems_are_read_and_people_left_out(tmp_path: Path) -> None:
    value = {"images": ["a.jpg", "b.jpg"], "captions": {"human_1": ["x", "y"], "pre_1": ["u", "v"]}}
    assert read_systems(write(tmp_path / "w.json", value)) == {
        "pre_1": {"a.jpg": "u", "b.jpg": "v"}
    }


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([], "images"),
        ({"images": ["a"], "captions": []}, "captions"),
        ({"images": ["a"], "captions": {"pre_1": ["u", "v"]}}, "2 captions for 1 images"),
        ({"images": ["a"], "captions": {"pre_1": [1]}}, "pre_1"),
        ({"images": ["a"], "captions": {"human": ["u"]}}, "no system"),
    ],
)
def test_other_files_are_said(tmp_path: Path, value: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_systems(write(tmp_path / "w.json", value))
