"""A folder given in place of its path: progress, all bad images together, nothing seen twice."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious._internal.progress import progress_listener
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.images.reading import BadImageError, BadImagesError
from captious.images.sources import (
    bad_images,
    holds_vectors,
    vectors_in_order,
    vectors_of_images,
)
from captious.io.cache import AnalysisCache
from tests.made_up.toy_images import Image, MeanColour, noise, saved
from tests.places import DOCS

PAGE = DOCS / "images.md"
NAMES = ["red", "torn", "blue", "empty"]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    path.mkdir()
    for name in ("red", "blue"):
        (path / f"{name}.png").write_bytes(saved(Image.new("RGB", (9, 7), name), "PNG"))
    (path / "torn.png").write_bytes(saved(noise(), "PNG")[:300])
    (path / "empty.png").write_bytes(b"")
    return path


def seen_by_a_metric(
    source: ImageFolder | Path,
    names: list[str],
    encoder: MeanColour,
    cache: AnalysisCache | None = None,
) -> np.ndarray:
    return vectors_in_order("metric", source, names, len(names), encoder, cache)


@pytest.mark.parametrize("on_disk", [False, True])
def test_all_bad_images_are_reported_at_once_and_others_stay_encoded(
    photos: Path, tmp_path: Path, on_disk: bool
) -> None:
    cache = AnalysisCache(tmp_path / "cache") if on_disk else None
    folder, encoder = ImageFolder(photos, all_bad=True), MeanColour()
    with pytest.raises(BadImagesError, match=r"torn\.png: .* \(and 1 more bad images?\)") as caught:
        seen_by_a_metric(folder, NAMES, encoder, cache)
    assert list(caught.value.faults) == ["torn", "empty"]
    assert caught.value.faults == bad_images(folder, NAMES) == bad_images(photos, NAMES)
    assert encoder.seen == 2
    vectors = seen_by_a_metric(folder, ["red", "blue"], encoder, cache)
    assert encoder.seen == 2
    plain = seen_by_a_metric(photos, ["red", "blue"], MeanColour())
    assert vectors.tolist() == plain.tolist()


def test_without_all_bad_the_first_bad_image_is_reported(photos: Path) -> None:
    with pytest.raises(BadImageError, match=r"torn\.png") as caught:
        seen_by_a_metric(ImageFolder(photos), NAMES, MeanColour())
    assert not isinstance(caught.value, BadImagesError)


def test_changed_file_is_encoded_again(photos: Path) -> None:
    folder, encoder = ImageFolder(photos, all_bad=True), MeanColour()
    before = seen_by_a_metric(folder, ["red"], encoder)
    (photos / "red.png").write_bytes((photos / "blue.png").read_bytes())
    after = seen_by_a_metric(folder, ["red"], encoder)
    assert before.tolist() != after.tolist()


def test_progress_is_reported_to_the_listener(photos: Path) -> None:
    reported: list[tuple[str, int, int]] = []
    folder = ImageFolder(photos)
    with progress_listener(lambda *step: reported.append(step)):
        seen_by_a_metric(folder, ["red", "blue"], MeanColour())
    vectors_of_images(folder, ["red"], MeanColour())
    assert reported == [("images encoded", 0, 2), ("images encoded", 2, 2)]


def test_a_folder_and_its_error_survive_pickling(photos: Path) -> None:
    folder = ImageFolder(photos, all_bad=True)
    assert not holds_vectors(folder)
    again = pickle.loads(pickle.dumps(folder))
    assert again.all_bad
    with pytest.raises(BadImagesError) as caught:
        seen_by_a_metric(again, NAMES, MeanColour())
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.faults, str(error)) == (caught.value.faults, str(caught.value))
    with pytest.raises(InputError, match="no such folder"):
        ImageFolder(photos / "red.png")


def test_the_documented_way_to_leave_bad_images_out(
    photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime")
    monkeypatch.chdir(photos.parent)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (block,) = (block for block in blocks if "BadImagesError" in block)
    given: dict[str, Any] = {
        "candidates": dict.fromkeys(NAMES, "a wall of one colour"),
        "references": {name: [f"a {name} wall"] for name in NAMES},
    }
    exec(block, given)
    assert given["result"].ids == ["red", "blue"]
