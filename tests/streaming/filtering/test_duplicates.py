"""Duplicates by their text and by their vectors."""

from __future__ import annotations

from tempfile import TemporaryFile

import numpy as np
import pytest

from captious.streaming.filtering import duplicates
from captious.streaming.filtering.duplicates import (
    VECTOR_SCALE,
    NearDuplicates,
    RoundedVectors,
    SeenCaptions,
    new_among_all,
    normalize_caption,
    rounded_vectors,
    text_hashes,
)
from captious.text.vectors.caption_vectors import CaptionSpace


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A dog.", "a  dog"),
        ("“A dog!”", "a dog"),
        ("STRASSE", "Straße"),
        ("cafe\u0301", "café"),
        ("a\tdog\n", "a-dog"),
        ("ﬁre", "fire"),
    ],
)
def test_captions_that_say_the_same(one: str, other: str) -> None:
    assert normalize_caption(one) == normalize_caption(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a dog", "adog"),
        ("!!", "??"),
        ("", "!"),
        ("2 dogs", "3 dogs"),
        ("हिन्दी", "हन्द"),
        ("犬", "猫"),
    ],
)
def test_captions_that_do_not(one: str, other: str) -> None:
    assert normalize_caption(one) != normalize_caption(other)


def test_the_first_stays() -> None:
    seen = SeenCaptions()
    assert seen.are_new(text_hashes(["A dog", "a cat", "a dog!"], None)).tolist() == [1, 1, 0]
    assert seen.are_new(text_hashes(["a CAT", "a bus"], None)).tolist() == [0, 1]
    images = SeenCaptions()
    assert images.are_new(text_hashes(["a dog"] * 3, ["1", "2", "1"])).tolist() == [1, 1, 0]


def clustered(count: int, seed: int = 0) -> RoundedVectors:
    """Vectors of which many lie near each other, a few at 0, and some are the same."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(count // 4, 384))
    vectors = centres[chance.integers(len(centres), size=count)]
    vectors = vectors + chance.uniform(0, 0.6, (count, 1)) * chance.normal(size=(count, 384))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[chance.random(count) < 0.02] = 0
    return np.round(vectors * VECTOR_SCALE).astype(np.int16)


def by_brute_force(places: RoundedVectors, cosine: float) -> list[bool]:
    """Each against all that stay before it, in exact whole numbers."""
    products = (exact := places.astype(np.int64)) @ exact.T
    lengths = products.diagonal().tolist()
    stays: list[bool] = []
    kept: list[int] = []
    for row in range(len(places)):
        near = any(
            int(products[row, other]) >= cosine * (lengths[row] * lengths[other]) ** 0.5 > 0
            for other in kept
        )
        stays.append(not near)
        kept += [] if near else [row]
    return stays


@pytest.mark.slow
@pytest.mark.parametrize("cosine", [0.8, 0.95, 1.0])
def test_near_ones_are_those_of_brute_force(cosine: float) -> None:
    places = clustered(400)
    expected = by_brute_force(places, cosine)
    assert new_among_all(places, cosine).tolist() == expected
    assert 0 < sum(expected) < len(expected) or cosine == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("cosine", [0.8, 0.95])
@pytest.mark.parametrize("short", [1, 16, 384])
def test_blocks_and_short_vectors_change_nothing(
    cosine: float, short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = clustered(400)
    expected = by_brute_force(places, cosine)
    assert 100 < sum(expected) < 390
    for name, size in {
        "NEW_PER_BLOCK": 64,
        "KEPT_PER_BLOCK": 50,
        "PAIRS_PER_BLOCK": 30,
        "PROJECTED_DIMENSIONS": short,
    }.items():
        monkeypatch.setattr(duplicates, name, size)
    assert new_among_all(places, cosine).tolist() == expected


@pytest.mark.slow
def test_short_vectors_never_say_that_near_ones_are_far() -> None:
    places = clustered(500)
    lengths = np.sqrt((places.astype(np.float64) ** 2).sum(1))
    cosines = places.astype(np.float64) @ places.T / np.maximum(np.outer(lengths, lengths), 1)
    short = duplicates._Projection.of(places)(places)
    assert short.shape[1] == duplicates.PROJECTED_DIMENSIONS + 1
    assert (short @ short.T >= cosines - duplicates.MARGIN / 10).all()


@pytest.mark.slow
def test_chunks_and_images_do_not_matter_but_to_images() -> None:
    places = clustered(300)
    images = np.array([[number % 5, 1] for number in range(300)], np.uint64)

    def new(size: int, within: bool) -> list[bool]:
        with TemporaryFile() as stream:
            found = NearDuplicates(0.9, stream)
            for start in range(0, 300, size):
                some = slice(start, start + size)
                found.add(places[some], images[some] if within else None)
            stays: list[bool] = found.are_new().tolist()
        return stays

    assert new(7, False) == new(300, False)
    assert new(7, True) == new(300, True)
    expected = [False] * 300
    for image in range(5):
        expected[image::5] = by_brute_force(places[image::5], 0.9)
    assert new(7, True) == expected


def test_captions_have_one_place_however_they_are_cut() -> None:
    space = CaptionSpace.load()
    captions = ["A dog runs on a beach.", "on a beach runs a dog", "", "zzqx", "a red bus"] * 3
    places = rounded_vectors(captions, space, "ptb")
    assert (places[0] == places[1]).all()
    assert not places[2].any()
    for start in range(len(captions)):
        assert (rounded_vectors(captions[start : start + 1], space, "ptb") == places[start]).all()
    products = places.astype(np.int64) @ places.astype(np.int64).T
    assert products.max() < 1 << 24
