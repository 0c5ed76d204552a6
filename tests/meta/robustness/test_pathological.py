"""Pathological captions: as many words changed as the strength says, and never fewer than two."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from captious._internal.arrays.ragged import Ragged
from captious.errors import InputError
from captious.images.vectors import nearest_images
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.pathological import STRENGTHS, pathological_captions, random_captions
from captious.text.transformations import TRANSFORMATIONS, permute_words
from tests.made_up.captioned_images import made_up


@pytest.fixture(scope="module")
def data() -> CaptionedImages:
    return made_up()


def changes(before: str, after: str) -> int:
    return sum(a != b for a, b in zip(before.split(), after.split(), strict=True))


def wanted(words: int, strength: int) -> int:
    return max(2, int(words * strength / 100 + 0.5)) if strength else 0


@pytest.mark.parametrize("kind", TRANSFORMATIONS)
def test_strength_0_is_the_caption_and_a_seed_gives_the_same_again(
    data: CaptionedImages, kind: str
) -> None:
    made = pathological_captions(data, kind)
    assert made[0] == data.texts
    assert made == pathological_captions(data, kind)
    assert made != pathological_captions(data, kind, seed=1)
    assert len(made) == len(STRENGTHS)


def test_words_are_replaced_by_the_number(data: CaptionedImages) -> None:
    made = pathological_captions(data, "random_word")
    for strength, texts in zip(STRENGTHS, made, strict=True):
        for before, after in zip(data.texts, texts, strict=True):
            assert changes(before, after) == wanted(len(before.split()), strength)
            assert set(after.split()) <= set(data.vocabulary)


def test_words_are_permuted_by_the_number(data: CaptionedImages) -> None:
    made = pathological_captions(data, "word_permutation")
    for strength, texts in list(zip(STRENGTHS, made, strict=True))[1:]:
        for before, after in zip(data.texts, texts, strict=True):
            assert Counter(before.split()) == Counter(after.split())
            # Equal words may fall into each other's places.
            assert 2 <= changes(before, after) <= wanted(len(before.split()), strength)


def test_every_chosen_word_moves() -> None:
    words = Ragged(np.arange(30), np.array([0, 10, 30]))
    moved = permute_words(words, 100, np.random.default_rng(0)).values != words.values
    assert moved.all()
    moved = permute_words(words, 50, np.random.default_rng(0)).values != words.values
    assert (moved[:10].sum(), moved[10:].sum()) == (5, 10)


def test_captions_that_came_out_unchanged_are_drawn_again() -> None:
    # Only two draws in three change a caption of two equal words and another one.
    words = Ragged(np.tile([7, 7, 8], 200), np.arange(0, 601, 3))
    changed = permute_words(words, 10, np.random.default_rng(0)).values.reshape(-1, 3)
    assert (changed != [7, 7, 8]).any(axis=1).all()


def test_one_word_alone_stays() -> None:
    words = Ragged(np.array([1, 2, 3]), np.array([0, 1, 3]))
    assert permute_words(words, 100, np.random.default_rng(0)).values.tolist() == [1, 3, 2]


def test_the_nearest_come_first() -> None:
    features = np.array([[1, 0], [10, 1], [0, 1], [1, 2]], np.float64)
    assert nearest_images(features).tolist() == [[1, 3, 2], [0, 3, 2], [3, 1, 0], [2, 1, 0]]


def test_captions_come_from_the_share_of_nearest_images(data: CaptionedImages) -> None:
    nearest = nearest_images(data.features)
    owner = dict(zip(data.texts, data.images.tolist(), strict=True))
    for strength, images in ((10, 1), (20, 1), (40, 2), (100, 5)):
        drawn = [
            random_captions(data, nearest, strength, np.random.default_rng(seed))
            for seed in range(60)
        ]
        for row, image in enumerate(data.images):
            found = {owner[texts[row]] for texts in drawn}
            assert found == set(nearest[image, :images].tolist())


def test_invalid_calls_are_refused(data: CaptionedImages) -> None:
    with pytest.raises(InputError, match="need image features"):
        pathological_captions(made_up(features=False), "random_caption")
    with pytest.raises(InputError, match="unknown transformation 'shuffle'"):
        pathological_captions(data, "shuffle")
    with pytest.raises(InputError, match="between 0 and 100"):
        pathological_captions(data, "random_word", (0, 110))
    with pytest.raises(InputError, match="two images or more"):
        nearest_images(np.ones((1, 4)))
