"""Duplicates by their text and by their vectors."""

from __future__ import annotations

from tempfile import TemporaryFile

import numpy as np
import pytest

from captious.engine.filtering import near_duplicates
from captious.engine.filtering.duplicates import Seen, plain, text_hashes
from captious.engine.filtering.near_duplicates import (
    LENGTH,
    NearDuplicates,
    Places,
    cuts_for,
    new_among_all,
    places_of,
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
    assert plain(one) == plain(other)


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
    assert plain(one) != plain(other)


def test_the_first_stays() -> None:
    seen = Seen()
    assert seen.are_new(text_hashes(["A dog", "a cat", "a dog!"], None)).tolist() == [1, 1, 0]
    assert seen.are_new(text_hashes(["a CAT", "a bus"], None)).tolist() == [0, 1]
    images = Seen()
    assert images.are_new(text_hashes(["a dog"] * 3, ["1", "2", "1"])).tolist() == [1, 1, 0]


def clustered(count: int, seed: int = 0) -> Places:
    """Vectors of which many lie near each other, a few at 0, and some are the same."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(count // 4, 384))
    vectors = centres[chance.integers(len(centres), size=count)]
    vectors = vectors + chance.uniform(0, 0.6, (count, 1)) * chance.normal(size=(count, 384))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[chance.random(count) < 0.02] = 0
    return np.round(vectors * LENGTH).astype(np.int16)


def by_brute_force(places: Places, cosine: float) -> list[bool]:
    """Each against all that stay before it, in exact whole numbers."""
    exact = places.astype(object)
    lengths = [sum(int(value) ** 2 for value in row) for row in places]
    stays: list[bool] = []
    kept: list[int] = []
    for row in range(len(places)):
        near = any(
            int(exact[row] @ exact[other]) >= cosine * (lengths[row] * lengths[other]) ** 0.5 > 0
            for other in kept
        )
        stays.append(not near)
        kept += [] if near else [row]
    return stays


@pytest.mark.parametrize("cosine", [0.8, 0.95, 1.0])
def test_near_ones_are_those_of_brute_force(cosine: float) -> None:
    places = clustered(400)
    expected = by_brute_force(places, cosine)
    assert new_among_all(places, cosine).tolist() == expected
    assert 0 < sum(expected) < len(expected) or cosine == 1.0


@pytest.mark.parametrize("cosine", [0.8, 0.95])
def test_hardly_any_near_one_is_missed(cosine: float, monkeypatch: pytest.MonkeyPatch) -> None:
    places = clustered(3000)
    exact = new_among_all(places, cosine)
    monkeypatch.setattr(near_duplicates, "EXACT", 0)
    monkeypatch.setattr(near_duplicates, "BLOCK", 64)
    found = new_among_all(places, cosine)
    assert (~exact).sum() > 200
    assert (found & ~exact).sum() <= 0.002 * (~exact).sum() + 1
    assert (~found & exact).sum() <= (found & ~exact).sum()  # only where an earlier one was missed


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
    places = places_of(captions, space, "ptb")
    assert (places[0] == places[1]).all()
    assert not places[2].any()
    for start in range(len(captions)):
        assert (places_of(captions[start : start + 1], space, "ptb") == places[start]).all()
    products = places.astype(np.int64) @ places.astype(np.int64).T
    assert products.max() < 1 << 24


def test_more_cuts_for_captions_further_apart() -> None:
    assert cuts_for(1.0, 20) == 1
    assert cuts_for(0.95, 16) < cuts_for(0.9, 16) < cuts_for(0.8, 16)
    alike = 1 - np.arccos(0.9) / np.pi
    assert (1 - alike**16) ** cuts_for(0.9, 16) <= 0.001
