"""Several systems' captions in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.io.training_captions import read_image_captions
from captious.io.where_image2 import karpathy_words, read_systems


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
def test_invalid_files_are_errors(tmp_path: Path, value: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_systems(write(tmp_path / "w.json", value))


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("A dog's t-shirt, red/blue.", "a dogs t shirt red blue"),
        ('He said: "P.I.N.K. (or $ 37,000)!"', "he said: pink (or $ 37 000)"),
        (" Two  dogs ; one\nsleeps . ", "two dogs one sleeps"),
        ("...", ""),
    ],
)
def test_karpathy_words_normalize_case_and_punctuation(caption: str, words: str) -> None:
    assert karpathy_words(caption) == words


@pytest.mark.slow
def test_published_human_captions_are_normalized_like_karpathys(shared: Path) -> None:
    path = shared / "data" / "where_image2" / "flickr8k.json.gz"
    document = decode_json(read_text(path), str(path))
    references = read_image_captions(shared / "data" / "flickr8k" / "Flickr8k.token.txt")
    for image, caption in zip(document["images"], document["captions"]["human_1"], strict=True):
        assert caption in map(karpathy_words, references[image])
