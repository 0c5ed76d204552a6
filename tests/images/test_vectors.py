"""Which file is meant: by name, without its ending, by COCO's number; never a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.images.vectors import NameIndex

NAMES = [
    "dog.jpg",
    "below/Cat.PNG",
    "COCO_val2014_000000000042.jpg",
    "000000000139.jpg",
    "v1.2.png",
]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("dog.jpg", "dog.jpg"),
        ("dog", "dog.jpg"),
        ("below/Cat.PNG", "below/Cat.PNG"),
        ("Cat.PNG", "below/Cat.PNG"),
        ("Cat", "below/Cat.PNG"),
        ("elsewhere/dog.jpg", "dog.jpg"),
        ("elsewhere\\dog.jpg", "dog.jpg"),
        ("dog.png", "dog.jpg"),
        ("42", "COCO_val2014_000000000042.jpg"),
        ("COCO_val2014_000000000042", "COCO_val2014_000000000042.jpg"),
        ("139", "000000000139.jpg"),
        ("v1.2", "v1.2.png"),
    ],
)
def test_images_are_found_by_name_or_id(wanted: str, found: str) -> None:
    assert NameIndex(NAMES).find(wanted) == found


@pytest.mark.parametrize("wanted", ["do", "dog.txt", "", "0042", "v1", "../dog.txt"])
def test_missing_image_is_an_error(wanted: str) -> None:
    with pytest.raises(InputError, match="here: no image"):
        NameIndex(NAMES, "here").find(wanted)


def test_ambiguous_name_is_an_error() -> None:
    index = NameIndex(["a.jpg", "a.png", "x/b.jpg", "y/b.jpg"])
    assert index.find("a.png") == "a.png"
    assert index.find("x/b.jpg") == "x/b.jpg"
    for wanted in ("a", "b.jpg", "b"):
        with pytest.raises(InputError, match=r"may be .* or .*column 'image'"):
            index.find(wanted)


def test_a_folder_of_images(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("b.JPG", "below/a.png", "._b.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    folder = ImageFolder(tmp_path)
    assert folder.names == ("b.JPG", "below/a.png")
    assert folder.find("a") == tmp_path / "below" / "a.png"
    with pytest.raises(InputError, match="no image 'c'"):
        folder.find("c")


def test_missing_folder_and_folder_without_images_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        ImageFolder(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no image files"):
        ImageFolder(tmp_path).find("a")


def test_a_name_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "dog.jpg").write_bytes(b"")
    for name in ("../secret.jpg", str(tmp_path / "secret.jpg")):
        with pytest.raises(InputError, match="no image"):
            ImageFolder(tmp_path / "images").find(name)
