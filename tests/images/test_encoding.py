"""Files to vectors: by content, cached, bad files named or skipped; and vectors in their place."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from captious._internal.progress import progress_listener
from captious.errors import CaptiousWarning, InputError
from captious.images import encoding
from captious.images.encoding import encode_files
from captious.images.reading import BadImageError
from captious.images.sources import bad_images, holds_vectors, vectors_of_images
from captious.images.vectors import CaptionVectors, ImageVectors
from captious.io.cache import AnalysisCache
from tests.made_up.toy_images import Image, MeanColour, noise, saved


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "images"
    path.mkdir()
    for name, colour in (("red", (255, 0, 0)), ("olive", (102, 136, 0)), ("blue", (0, 0, 255))):
        (path / f"{name}.png").write_bytes(saved(Image.new("RGB", (9, 7), colour), "PNG"))
    return path


def test_vectors_have_unit_length_and_the_names_that_were_asked_for(folder: Path) -> None:
    found = vectors_of_images(folder, ["olive", "red.png", "olive"], MeanColour())
    assert found.vectors.names == ("olive", "red.png")
    assert found.vectors.vectors == pytest.approx(np.array([[0.6, 0.8, 0], [1, 0, 0]]), abs=1e-6)
    assert found.skipped == {}


def test_vectors_are_cached_by_content(folder: Path, tmp_path: Path) -> None:
    cache, encoder = AnalysisCache(tmp_path / "cache"), MeanColour()
    first = vectors_of_images(folder, ["red", "blue"], encoder, cache=cache)
    assert encoder.seen == 2
    (folder / "blue.png").rename(folder / "sea.png")
    again = vectors_of_images(folder, ["sea", "red"], encoder, cache=cache)
    assert encoder.seen == 2
    assert again.vectors.vectors[::-1].tolist() == first.vectors.vectors.tolist()
    (folder / "red.png").write_bytes((folder / "olive.png").read_bytes())
    changed = vectors_of_images(folder, ["red"], encoder, cache=cache)
    assert encoder.seen == 3
    assert changed.vectors.vectors[0] == pytest.approx([0.6, 0.8, 0], abs=1e-6)


def test_views_are_cached_separately(folder: Path, tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path / "cache")
    wide = Image.new("RGB", (90, 9), "red")
    wide.paste("blue", (30, 0, 60, 9))
    (folder / "wide.png").write_bytes(saved(wide, "PNG"))
    for _ in range(2):
        crop, whole = (
            vectors_of_images(folder, ["wide"], MeanColour(view), cache=cache).vectors.vectors[0]
            for view in ("crop", "whole")
        )
        assert crop == pytest.approx([0, 0, 1], abs=1e-6)
        assert whole[0] > whole[2] > 0.2


def test_a_bad_image_is_named_or_skipped(folder: Path) -> None:
    (folder / "torn.png").write_bytes(saved(noise(), "PNG")[:300])
    (folder / "empty.png").write_bytes(b"")
    names = ["red", "torn", "empty", "blue"]
    with pytest.raises(BadImageError, match=r"torn\.png: "):
        vectors_of_images(folder, names, MeanColour())
    with pytest.warns(CaptiousWarning, match=r"2 of 4 images skipped; the first: .*torn\.png"):
        found = vectors_of_images(folder, names, MeanColour(), skip_bad=True)
    assert found.vectors.names == ("red", "blue")
    assert list(found.skipped) == ["torn", "empty"]
    assert "the file is empty" in found.skipped["empty"]
    assert bad_images(folder, [*names, "torn"]) == found.skipped
    assert bad_images(found.vectors, names) == {}
    with pytest.raises(InputError, match="no image 'green'"):
        bad_images(folder, ["green"])


def test_no_images_is_an_error(folder: Path) -> None:
    (folder / "red.png").write_bytes(b"a dog")
    with pytest.raises(InputError, match=r"not one of 1 images.*red\.png"):
        vectors_of_images(folder, ["red"], MeanColour(), skip_bad=True)
    with pytest.raises(InputError, match="no images"):
        vectors_of_images(folder, [], MeanColour())
    with pytest.raises(InputError, match="no image 'green'"):
        vectors_of_images(folder, ["red", "green"], MeanColour(), skip_bad=True)


def test_many_files_are_encoded_in_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "BATCH_FILES", 2)
    for number in range(5):
        (folder / f"{number}.png").write_bytes(saved(noise(seed=number), "PNG"))
    done: list[tuple[str, int, int]] = []
    files = {str(number): folder / f"{number}.png" for number in range(5)}
    with progress_listener(lambda *step: done.append(step)):
        found = encode_files(files, MeanColour(), cache=None)
    assert done == [("images encoded", some, 5) for some in (0, 2, 4, 5)]
    for name, path in files.items():
        alone = encode_files({name: path}, MeanColour(), cache=None).vectors
        assert alone.vectors[0].tolist() == found.vectors.take([name]).vectors[0].tolist()


def test_npz_of_vectors_replaces_images(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    ImageVectors.of(["a.jpg", "b.jpg"], np.array([[3.0, 4.0], [0.0, 2.0]])).write(path)
    for source in (path, str(path), ImageVectors.read(path)):
        assert holds_vectors(source)
        found = vectors_of_images(source, ["b", "a.jpg"]).vectors
        assert found.names == ("b", "a.jpg")
        assert found.vectors == pytest.approx(np.array([[0, 1], [0.6, 0.8]]))
    with pytest.raises(InputError, match=r"vectors\.npz: no image 'c'"):
        vectors_of_images(path, ["c"])
    with pytest.raises(InputError, match="images are a folder"):
        vectors_of_images(cast(Any, 3), ["c"])


def test_a_file_of_vectors_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "captions.npz"
    CaptionVectors.of(["a dog"], np.array([[1.0, 0.0]])).write(path)
    first = CaptionVectors.load(path)
    assert CaptionVectors.load(path) is first
    CaptionVectors.of(["a cat"], np.array([[1.0, 0.0]])).write(path)
    second = CaptionVectors.load(path)
    assert second.names == ("a cat",)
    assert second.fingerprint != first.fingerprint
    with pytest.raises(InputError, match="no vector for caption 'a dog'"):
        second.take(["a dog"])
    with pytest.raises(InputError, match="'files' and 'features'"):
        ImageVectors.load(path)
    with pytest.raises(InputError, match="cannot be read"):
        CaptionVectors.load(tmp_path / "none.npz")
    with pytest.raises(InputError, match="caption vectors are"):
        CaptionVectors.load(cast(Any, 3))


def test_vectors_survive_pickling() -> None:
    vectors = ImageVectors.of(["a"], np.array([[3.0, 4.0]]))
    again = pickle.loads(pickle.dumps(vectors))
    assert again.take(["a"]).vectors.tolist() == vectors.vectors.tolist()
