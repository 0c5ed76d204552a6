"""Captious with eyes."""

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.learned.captious_image import CaptiousImage
from captious.learned.image_places import ROWS, ImagePlaces
from captious.learned.published import SHIPPED

REFERENCES = {"a": ["a dog runs on the beach"], "b": ["a man in a red shirt climbs a rock"]}
CANDIDATES = {"a": "a brown dog runs", "b": "a climber on a rock"}


@pytest.fixture
def places():
    return ImagePlaces.load(SHIPPED / "captious_image.npz")


def images_like(places, captions):
    """Vectors of images that lie where the captions do: found by turning the map round."""
    from captious.text.analysis import Analysis
    from captious.text.caption_vectors import CaptionSpace, caption_vectors

    vectors = caption_vectors(Analysis(captions), CaptionSpace.load(), np.arange(len(captions)))
    wanted = places.of_captions(vectors)
    back = np.linalg.pinv(places.mapping)
    return ImageVectors.of(list(REFERENCES), 50 * wanted @ back + places.usual_image)


def score(images, candidates=CANDIDATES, references=REFERENCES):
    return captious.score(candidates, references, [CaptiousImage(images)]).samples


def test_the_image_counts(places):
    right = images_like(places, list(CANDIDATES.values()))
    wrong = images_like(places, list(CANDIDATES.values())[::-1])
    for column in CaptiousImage.columns:
        assert (score(right)[column] > score(wrong)[column]).all()
        assert ((score(wrong)[column] > 0) & (score(right)[column] < 1)).all()


def test_references_do_not_matter_alone(places):
    images = images_like(places, list(CANDIDATES.values()))
    other = {"a": ["two cats"], "b": ["a train"]}
    mine, theirs = score(images), score(images, references=other)
    column = "captious_image_alone"
    assert mine[column].tolist() == theirs[column].tolist()
    assert (mine["captious_image"] > theirs["captious_image"]).all()


def test_form_counts(places):
    images = images_like(places, list(CANDIDATES.values()))
    shuffled = {"a": "runs brown dog a the on", "b": "rock a on climber a"}
    assert (score(images, shuffled)["captious_image"] < score(images)["captious_image"]).all()


def test_an_image_has_the_same_place_beside_any_others(places):
    random = np.random.default_rng(0)
    vectors = random.standard_normal((ROWS + 9, len(places.usual_image))).astype(np.float32)
    together = places.of_images(vectors)
    assert places.of_images(vectors[-3:]).tolist() == together[-3:].tolist()


def test_mistakes_are_named(places, tmp_path):
    with pytest.raises(InputError, match="needs images"):
        CaptiousImage()
    with pytest.raises(InputError, match=r"vectors of 3 numbers.*1280"):
        score(ImageVectors.of(["a", "b"], np.ones((2, 3))))
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match=r"bad\.npz: not a file of image places"):
        CaptiousImage("photos.npz", weights=tmp_path / "bad.npz")


def test_a_file_comes_back_as_it_was(places, tmp_path):
    places.save(tmp_path / "places.npz")
    assert ImagePlaces.load(tmp_path / "places.npz").fingerprint == places.fingerprint


# Measured when the weights were made; docs/metrics/captious_image.md has the same figures.
def test_agreement_with_people(shared):
    from captious.meta.agreement import agree
    from captious.meta.presets import preset
    from captious.meta.task import read_task

    folder = shared / "data" / "flickr8k"
    judged = read_task("flickr8k-expert", data=shared / "data").judgements
    images = list(map(str, judged.images))
    references = dict(zip(images, judged.references, strict=True))
    files = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")
    metric = CaptiousImage(*(folder / file for file in files))
    scorer = captious.Scorer(references, [metric])
    samples = scorer.score(list(judged.candidates), images).samples
    found = agree(dict(samples), judged, preset("standard", "flickr8k-expert"), resamples=0)
    values = [found[column].values["kendall_c"] for column in metric.columns]
    assert values == pytest.approx([0.5761, 0.5384], abs=5e-4)
