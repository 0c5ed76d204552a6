"""`hallucination` and `chair` with the objects that a detector sees in images."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.errors import InputError, MissingDependencyError
from captious.images import detector as detector_module
from captious.images.folder import ImageFolder
from captious.images.reading import BadImagesError
from captious.registry import UnusedOptionError, select
from captious.signature import Signature
from tests.cli.command import captious as command
from tests.made_up.toy_detector import ToyDetector, in_place_of_the_real_one, picture_of

METRICS = ["hallucination(objects=detector)", "chair(objects=detector)"]
CANDIDATES = {
    "1": "a dog on a bench",
    "2": "a dog on a bench",
    "3": "a cat on a bench",
    "4": "a bench",
}
REFERENCES = {name: ["a bench in a park"] for name in CANDIDATES}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyDetector:
    return in_place_of_the_real_one(monkeypatch)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    path.mkdir()
    for name, content in (("1", "dog"), ("2", "person"), ("3", "cat"), ("4", "nothing")):
        (path / f"{name}.png").write_bytes(picture_of(content))
    return path


def score_images(metrics: Any, **options: Any) -> captious.Result:
    return captious.score(CANDIDATES, REFERENCES, metrics, **options)


@pytest.mark.slow
def test_detected_objects_are_not_hallucinated(photos: Path) -> None:
    plain = score_images(["hallucination", "chair"])
    seen = score_images(METRICS, images=photos)
    assert plain.samples["chair_s"].tolist() == [1, 1, 1, 0]
    assert seen.samples["chair_s"].tolist() == [0, 1, 1, 0]  # of the cat it is not sure enough
    before, after = (each.samples["hallucination_object"] for each in (plain, seen))
    assert after[0] < before[0]
    assert after[1:].tolist() == before[1:].tolist()
    surer = [metric.replace(")", ",threshold=0.3)") for metric in METRICS]
    assert score_images(surer, images=photos).samples["chair_s"].tolist() == [0, 1, 0, 0]


def test_detector_equals_a_file_of_its_detections(photos: Path, tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    path.write_text(json.dumps({"1": ["dog"], "2": ["person"], "3": [], "4": []}), encoding="utf-8")
    for metric in ("hallucination", "chair", "chair(truth=file)"):
        name, _, more = metric.partition("(")
        more = f",{more}" if more else ")"
        seen = score_images([f"{name}(objects=detector{more}"], images=photos)
        read = score_images([f'{name}(objects="{path}"{more}'])
        for column, scores in read.samples.items():
            assert seen.samples[column].tolist() == scores.tolist()


def test_the_detectors_objects_alone(photos: Path) -> None:
    seen = score_images(["chair(objects=detector,truth=file)"], images=photos)
    assert seen.samples["chair_i"].tolist() == [0.5, 1, 1, 1]  # no bench was seen


def test_signature_names_the_detector_and_round_trips(photos: Path) -> None:
    result = score_images(METRICS, images=photos)
    for metric in Signature.parse(result.signature).metrics:
        text = str(metric)
        for part in ("objects=detector", "images=photos", "threshold=0.5", "toy@70ad7070ad70"):
            assert part in text
        again = score_images([text.replace("images=photos", f'images="{photos}"')])
        assert str(Signature.parse(again.signature).metrics[0]) == text
        other = text.replace("70ad7070ad70", "aaaaaaaaaaaa")
        with pytest.raises(InputError, match="toy@aaaaaaaaaaaa was asked for, but here it is"):
            score_images([other], images=photos)
    plain = score_images(["hallucination", "chair"]).signature
    for word in ("detector", "threshold", "images="):
        assert word not in plain


def test_each_image_is_detected_once(photos: Path, toy: ToyDetector) -> None:
    score_images(METRICS, images=photos, cache=False)
    assert toy.looks == 4  # for both metrics, with nothing kept


def test_each_image_is_detected_once_for_several_systems(
    photos: Path, toy: ToyDetector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path / "cache"))
    files = []
    for system in ("a", "b"):
        files.append(tmp_path / f"{system}.jsonl")
        rows = (
            {"id": name, "candidate": f"{caption} {system}", "references": REFERENCES[name]}
            for name, caption in CANDIDATES.items()
        )
        files[-1].write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arguments = ("--metrics", ",".join(METRICS), "--images", photos, "--format", "json")
    done = command("score", *files, *arguments)
    assert done.returncode == 0, done.stderr
    assert toy.looks == 4
    assert command("score", files[0], *arguments).returncode == 0
    assert toy.looks == 4


@pytest.mark.parametrize("metric", METRICS)
def test_unreadable_images_are_errors(metric: str, photos: Path) -> None:
    (photos / "2.png").write_bytes(b"a dog")
    with pytest.raises(InputError, match=r"2\.png: not a readable image"):
        score_images([metric], images=photos)
    with pytest.raises(BadImagesError) as bad:
        score_images([metric], images=ImageFolder(photos, all_bad=True))
    assert list(bad.value.faults) == ["2"]
    (photos / "2.png").unlink()
    with pytest.raises(InputError, match="no image '2'"):
        score_images([metric], images=photos)


@pytest.mark.parametrize("metric", METRICS)
def test_invalid_detector_options_are_errors(metric: str, photos: Path) -> None:
    name = metric.partition("(")[0]
    for options in ({}, {"images": "vectors.npz"}):
        with pytest.raises(InputError, match=f"{name}: a detector looks at image files; give a"):
            score_images([metric], **options)
    with pytest.raises(InputError, match=f"{name}: a detector finds images by their ids"):
        captious.score(["a dog"], [["a dog"]], [metric], images=photos)
    for wrong in (0, 1, -0.5, "much"):
        with pytest.raises(InputError, match=f"{name}: threshold: a number between 0 and 1"):
            score_images([metric.replace(")", f",threshold={wrong})")], images=photos)


@pytest.mark.parametrize("name", ["hallucination", "chair"])
def test_images_and_a_threshold_are_for_a_detector(name: str, photos: Path) -> None:
    for given in (f'images="{photos}"', "threshold=0.4"):
        what = given.partition("=")[0]
        with pytest.raises(InputError, match=f"{name}: {what} is for a detector; give objects="):
            select(f"{name}({given})")
    with pytest.raises(UnusedOptionError, match="has the option 'images'"):
        score_images([name], images=photos)
    # Who gives images to another metric changes nothing about this one.
    beside = select([name, "captious_image"], {"images": photos}).metrics[0]
    assert beside.signature() == select(name).metrics[0].signature()
    assert not beside.needs_images


def test_a_vocabulary_without_a_class_that_the_detector_knows(photos: Path, tmp_path: Path) -> None:
    path = tmp_path / "instruments.txt"
    path.write_text("violin, fiddle\n", encoding="utf-8")
    metric = f'chair(objects=detector,vocabulary="{path}")'
    with pytest.raises(InputError, match="detector: no object in it has a name of the vocabulary"):
        score_images([metric], images=photos)


def test_missing_detector_package_is_a_one_line_error(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(detector_module, "PACKAGE", "no_such_package")
    detector_module.load_detector.cache_clear()
    path = tmp_path / "captions.jsonl"
    row = {"id": "1", "candidate": "a dog", "references": ["a dog"]}
    path.write_text(json.dumps(row), encoding="utf-8")
    for metric in METRICS:
        done = command("score", path, "--metrics", metric, "--images", photos)
        assert (done.returncode, done.stdout) == (2, "")
        line = done.stderr.removesuffix("\n")
        assert line.startswith("captious: error: the detector of objects is not installed: pip ")
        assert "\n" not in line
        with pytest.raises(MissingDependencyError):
            score_images([metric], images=photos)
    detector_module.load_detector.cache_clear()


def test_bad_images_can_be_skipped(photos: Path, tmp_path: Path) -> None:
    (photos / "2.png").write_bytes(b"a dog")
    path = tmp_path / "captions.jsonl"
    rows = (
        {"id": name, "candidate": caption, "references": REFERENCES[name]}
        for name, caption in CANDIDATES.items()
    )
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = command(
        *("score", path, "--metrics", METRICS[1], "--images", photos, "--skip-bad-images"),
        *("--format", "json"),
    )
    assert done.returncode == 0, done.stderr
    assert "samples with bad images: 1 of 4" in done.stderr
    printed = json.loads(done.stdout)
    assert printed["n"] == 3
    assert printed["corpus"]["chair_s"] == pytest.approx(1 / 3)
