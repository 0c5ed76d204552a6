"""LEIC as it ships: scores by the weights in the package, with and without images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.metrics.leic.leic import Leic
from captious.registry import select

REFERENCES = {
    "a": ["a brown dog runs through the grass", "a dog is running in a field"],
    "b": ["a man in a red shirt climbs a rock", "a climber on a steep cliff"],
}
RIGHT = {"a": "a dog runs through a grassy field", "b": "a man climbs a rock wall"}
WRONG = {"a": RIGHT["b"], "b": RIGHT["a"]}
PERMUTED = {"a": "runs field a grassy a dog through", "b": "rock man a climbs wall a"}


def score(candidates: dict[str, str], **options: Any) -> np.ndarray:
    return captious.score(candidates, REFERENCES, [Leic(**options)]).samples["leic"]


@pytest.fixture(scope="module")
def images() -> ImageVectors:
    """Vectors of no image in particular."""
    vectors = np.random.default_rng(0).random((2, 1280))
    return ImageVectors.of(list(REFERENCES), vectors)


def test_captions_of_other_images_score_lower() -> None:
    assert (score(RIGHT) > score(WRONG)).all()


@pytest.mark.slow
def test_permuted_words_score_lower(images: ImageVectors) -> None:
    assert (score(RIGHT) > score(PERMUTED)).all()
    assert (score(RIGHT, images=images) > score(PERMUTED, images=images)).all()


@pytest.mark.slow
def test_references_count_beside_an_image(images: ImageVectors) -> None:
    assert (score(RIGHT, images=images) > score(WRONG, images=images)).all()


@pytest.mark.slow
def test_score_depends_on_the_image(images: ImageVectors) -> None:
    other = ImageVectors.of(list(REFERENCES), images.vectors[::-1].copy())
    assert (score(RIGHT, images=images) != score(RIGHT, images=other)).all()


@pytest.mark.slow
def test_the_signature_says_what_was_read(images: ImageVectors) -> None:
    seen = captious.score(RIGHT, REFERENCES, [Leic(images=images)]).signature
    read = captious.score(RIGHT, REFERENCES, [Leic()]).signature
    assert "variant=paper,critic=mean,first=leic@" in seen and "second=leic_reference@" in seen
    assert "context=both+reference,fusion=mlp,references=mean" in seen
    assert "leic(variant=paper,critic=leic_reference@" in read and "context=reference," in read
    released = captious.score(RIGHT, REFERENCES, [Leic(images, "released")]).signature
    assert "variant=released,critic=leic_released@" in released and "context=both," in released


@pytest.mark.slow
def test_with_images_it_is_the_mean_of_two_critics(images: ImageVectors) -> None:
    both, image, reference = (
        score(RIGHT, images=images, critic=critic) for critic in (None, "image", "reference")
    )
    assert both.tolist() == ((image + reference) / 2).tolist()
    assert both.tolist() == score(RIGHT, images=images, critic="mean").tolist()
    assert reference.tolist() == score(RIGHT).tolist()  # which needs no images
    assert (image != reference).all()
    for critic in ("image", "mean"):
        with pytest.raises(InputError, match="this critic needs images"):
            Leic(critic=critic)


def test_signature_round_trips(
    images: ImageVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    vectors = images.vectors.astype(np.float16)
    np.savez("vectors.npz", files=np.array(images.names), features=vectors)

    def signature(address: str) -> str:
        (metric,) = select([address]).metrics
        return str(metric.signature())

    for given in ("", ",critic=image", ",critic=reference", ",variant=released"):
        address = signature(f"leic(images=vectors.npz{given})")
        assert signature(address) == address
    mean = signature("leic(images=vectors.npz)")
    hash = mean.partition("second=leic_reference@")[2][:12]
    with pytest.raises(InputError, match=r"second=leic_reference@0{12} was asked for"):
        signature(mean.replace(hash, "0" * 12))


@pytest.mark.slow
def test_long_captions_lose_their_vector_in_the_released_variant_alone(
    images: ImageVectors,
) -> None:
    long = {"a": "a dog runs " * 5, "b": "a man climbs a rock " * 4}
    longer = {"a": "a cat sleeps " * 9, "b": "a girl swims in a pool " * 4}
    released = {"images": images, "variant": "released"}
    assert score(long, **released).tolist() == score(longer, **released).tolist()
    assert (score(long, images=images) != score(longer, images=images)).all()


def test_without_images_only_the_papers_variant_ships() -> None:
    with pytest.raises(InputError, match="released"):
        Leic(variant="released")
    with pytest.raises(InputError, match="unknown variant"):
        Leic(variant="mine")


def test_vectors_of_another_encoder_are_an_error() -> None:
    other = ImageVectors.of(list(REFERENCES), np.ones((2, 7)))
    with pytest.raises(InputError, match="image vectors of 7 numbers"):
        score(RIGHT, images=other)
