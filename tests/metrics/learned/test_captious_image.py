"""Captious with eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.meta.judgements import Ratings
from captious.metrics.learned.captious_image import (
    ENCODER,
    WORDS,
    CaptiousImage,
    CaptiousImageFull,
    ImageModel,
    ImageProjection,
    caption_vectors_in,
)
from captious.resources import LEARNED
from captious.text.analysis import Analysis

REFERENCES = {"a": ["a dog runs on the beach"], "b": ["a man in a red shirt climbs a rock"]}
CANDIDATES = {"a": "a brown dog runs", "b": "a climber on a rock"}


@pytest.fixture
def places() -> ImageProjection:
    return ImageModel.load(LEARNED / "captious_image.npz").places[WORDS]


def images_like(places: ImageProjection, captions: list[str], space: str = WORDS) -> ImageVectors:
    """Vectors of images that lie where the captions do: found by turning the map round."""
    expected = places.project_captions(caption_vectors_in(space, Analysis(captions)))
    back = np.linalg.pinv(places.mapping)
    return ImageVectors.of(list(REFERENCES), 50 * expected @ back + places.usual_image)


def score(
    images: ImageVectors,
    candidates: dict[str, str] = CANDIDATES,
    references: dict[str, list[str]] = REFERENCES,
) -> dict[str, np.ndarray]:
    return captious.score(candidates, references, [CaptiousImage(images)]).samples


@pytest.mark.slow
def test_score_depends_on_the_image(places: ImageProjection) -> None:
    right = images_like(places, list(CANDIDATES.values()))
    wrong = images_like(places, list(CANDIDATES.values())[::-1])
    for column in CaptiousImage.columns:
        assert (score(right)[column] > score(wrong)[column]).all()
        assert ((score(wrong)[column] > 0) & (score(right)[column] < 1)).all()


@pytest.mark.slow
def test_image_only_column_ignores_references(places: ImageProjection) -> None:
    images = images_like(places, list(CANDIDATES.values()))
    other = {"a": ["two cats"], "b": ["a train"]}
    mine, theirs = score(images), score(images, references=other)
    column = "captious_image_alone"
    assert mine[column].tolist() == theirs[column].tolist()
    assert (mine["captious_image"] > theirs["captious_image"]).all()


@pytest.mark.slow
def test_score_depends_on_form(places: ImageProjection) -> None:
    images = images_like(places, list(CANDIDATES.values()))
    shuffled = {"a": "runs brown dog a the on", "b": "rock a on climber a"}
    assert (score(images, shuffled)["captious_image"] < score(images)["captious_image"]).all()


def test_projection_of_an_image_is_independent_of_others(places: ImageProjection) -> None:
    random = np.random.default_rng(0)
    vectors = random.standard_normal((73, len(places.usual_image))).astype(np.float32)
    together = places.project_images(vectors)
    assert places.project_images(vectors[-3:]).tolist() == together[-3:].tolist()


def test_invalid_inputs_are_errors(places: ImageProjection, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs images"):
        CaptiousImage()
    with pytest.raises(InputError, match=r"vectors of 3 numbers.*1280"):
        score(ImageVectors.of(["a", "b"], np.ones((2, 3))))
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match=r"bad\.npz: not a file of image places"):
        CaptiousImage("photos.npz", weights=tmp_path / "bad.npz")


def test_image_model_is_unchanged_by_save_and_load(tmp_path: Path) -> None:
    sight = ImageModel.load(LEARNED / "captious_image.npz")
    sight.save(tmp_path / "places.npz")
    assert ImageModel.load(tmp_path / "places.npz").fingerprint == sight.fingerprint


def test_weights_that_do_not_fit_are_an_error(tmp_path: Path) -> None:
    sight = ImageModel.load(LEARNED / "captious_image.npz")
    ImageModel(sight.places, sight.with_references, np.zeros(7)).save(tmp_path / "odd.npz")
    with pytest.raises(InputError, match=r"odd\.npz: .*'alone': 7 where 2 are expected"):
        CaptiousImage("photos.npz", weights=tmp_path / "odd.npz")


@pytest.mark.slow
def test_full_variant_projects_into_both_spaces() -> None:
    pytest.importorskip("onnxruntime")
    sight = ImageModel.load(CaptiousImageFull.weights)
    assert list(sight.places) == [WORDS, ENCODER]
    assert (sight.alone[:-1] > 0).all() and (sight.with_references[:-1] > 0).all()
    captions = list(CANDIDATES.values())
    for space, places in sight.places.items():
        right, wrong = (images_like(places, own, space) for own in (captions, captions[::-1]))
        mine, theirs = (
            captious.score(CANDIDATES, REFERENCES, [CaptiousImageFull(images)]).samples
            for images in (right, wrong)
        )
        for column in CaptiousImageFull.columns:
            assert (mine[column] > theirs[column]).all()


# Measured when the weights were made; docs/metrics/captious_image.md has the same figures.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "expected"), [(CaptiousImage, [0.5769, 0.5384]), (CaptiousImageFull, [0.5856, 0.5476])]
)
def test_agreement_with_people(shared: Path, kind: type[Any], expected: list[float]) -> None:
    from captious.meta.agreement import agree
    from captious.meta.presets import preset
    from captious.meta.task import read_task

    if kind.requires:
        pytest.importorskip("onnxruntime")
    folder = shared / "data" / "flickr8k"
    judged = read_task("flickr8k-expert", data=shared / "data").judgements
    assert isinstance(judged, Ratings)
    images = list(map(str, judged.images))
    references = dict(zip(images, judged.references, strict=True))
    files = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")
    metric = kind(*(folder / file for file in files))
    scorer = captious.Scorer(references, [metric])
    samples = scorer.score(judged.candidates, images).samples
    actual = agree(dict(samples), judged, preset("standard", "flickr8k-expert"), resamples=0)
    values = [actual[column].values["kendall_c"] for column in metric.columns]
    assert values == pytest.approx(expected, abs=5e-4)
