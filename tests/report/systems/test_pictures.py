"""Pictures of samples: in the page as far as they fit, or linked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

from captious.errors import CaptiousError
from captious.images.folder import ImageFolder
from captious.report.systems.pictures import (
    inlined_pictures,
    linked_pictures,
    order_by_disagreement,
)

Image = pytest.importorskip("PIL.Image")


def folder(path: Path, *names: str) -> ImageFolder:
    path.mkdir(exist_ok=True)
    for name in names:
        colour = tuple(np.random.default_rng(len(name)).integers(0, 255, 3).tolist())
        Image.new("RGB", (64, 48), colour).save(path / name)
    return ImageFolder(path)


def test_pictures_by_id_name_and_number_of_coco(tmp_path: Path) -> None:
    images = folder(tmp_path, "dog.png", "COCO_val2014_000000000042.jpg")
    names = ["42", "dog", "dog.png", "missing"]
    found = inlined_pictures(images, names, range(4), 1)
    assert [bool(address) for address in found.addresses] == [True, True, True, False]
    assert all(address.startswith("data:image/") for address in found.addresses[:3])
    (note,) = found.notes
    assert note.startswith("1 images have no picture; the first:") and "missing" in note


def test_a_folder_without_any_of_them_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaptiousError, match="no image 'cat'"):
        inlined_pictures(folder(tmp_path, "dog.png"), ["cat"], [0], 1)


def test_a_bad_picture_is_a_note(tmp_path: Path) -> None:
    images = folder(tmp_path, "dog.png")
    (tmp_path / "cat.png").write_bytes(b"nothing")
    found = inlined_pictures(images, ["dog", "cat"], [1, 0], 1)
    assert found.addresses[0] and not found.addresses[1]
    assert found.notes[0].startswith("1 pictures cannot be read; the first:")


def test_thumbnails_fill_the_budget_in_the_given_order(tmp_path: Path) -> None:
    names = [f"{'x' * number}.png" for number in range(1, 7)]
    images = folder(tmp_path, *names)
    whole = inlined_pictures(images, names, range(6), 1)
    assert all(whole.addresses) and not whole.notes
    most = sum(map(len, whole.addresses[3:])) / 1e6
    found = inlined_pictures(images, names, [5, 4, 3, 2, 1, 0], most)
    assert found.addresses == ["", "", "", *whole.addresses[3:]]
    assert found.notes[0].startswith("pictures of 3 images of 6 are in the page")
    assert not any(inlined_pictures(images, names, range(6), 0).addresses)


def test_links_lead_from_the_page_to_the_files(tmp_path: Path) -> None:
    odd = "a b#c?d%e:f&'\".png"
    images = folder(tmp_path / "pictures", odd, "dog.png")
    page = tmp_path / "pages" / "report.html"
    page.parent.mkdir()
    found = linked_pictures(images, [odd, "dog", "none"], page)
    assert found.addresses[1:] == ["../pictures/dog.png", ""]
    assert set(found.addresses[0]).isdisjoint("#?:&'\" ")
    assert (page.parent / unquote(found.addresses[0])).resolve() == tmp_path / "pictures" / odd


def test_order_by_disagreement() -> None:
    one, two = np.array([0.5, 0.1, 0.9, 0.6, 0.5]), np.array([0.5, 0.1, 0.9, 0.1, 0.6])
    order = order_by_disagreement([one, two]).tolist()
    assert order[:3] == [3, 1, 2]  # most disagreement, worst, best
    assert sorted(order) == [0, 1, 2, 3, 4]
    assert sorted(order_by_disagreement([np.array([np.nan, 1.0])]).tolist()) == [0, 1]
