"""Draws that follow from an id alone, and are those of a Poisson distribution."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from captious.streaming.poisson import MAX_DRAWS, draw_counts, image_keys


def test_draws_depend_on_seed_resample_and_id_alone() -> None:
    ids = [f"image {number}" for number in range(50)]
    draws = draw_counts(image_keys(ids, 0), 101)
    assert draws.shape == (50, 101)
    alone = [draw_counts(image_keys([image], 0), 101)[0] for image in reversed(ids)]
    assert (draws == np.array(alone[::-1])).all()
    assert (draws[:, :30] == draw_counts(image_keys(ids, 0), 30)).all()
    assert (draws != draw_counts(image_keys(ids, 1), 101)).any()
    assert (
        draw_counts(image_keys([7], 0), 9) == draw_counts(image_keys(["7"], 0), 9)
    ).all()  # ids as text


def plainly_drawn(image: str, seed: int, resamples: int) -> list[int]:
    """The same in whole numbers of Python's: splitmix64, and the inverse of the distribution."""
    salt = seed.to_bytes(8, "little")
    digest = hashlib.blake2b(image.encode(), digest_size=8, salt=salt).digest()
    state, most = int.from_bytes(digest, "little"), 2**64
    halves: list[int] = []
    while len(halves) < resamples:
        state = mixed = (state + 0x9E3779B97F4A7C15) % most
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % most
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % most
        mixed ^= mixed >> 31
        halves += [mixed % 2**32, mixed >> 32]
    shares = [math.exp(-1) / math.factorial(count) for count in range(20)]
    below = [round(math.fsum(shares[: count + 1]) * 2**32) for count in range(20)]
    return [sum(half >= each for each in below if each < 2**32) for half in halves[:resamples]]


def test_draws_equal_integer_computation() -> None:
    for image in ("a", "b", "ünï 😀", ""):
        assert draw_counts(image_keys([image], 3), 501)[0].tolist() == plainly_drawn(image, 3, 501)
    assert draw_counts(image_keys(["a"], 0), 12).tolist() == [[1, 0, 0, 0, 1, 1, 1, 4, 1, 0, 1, 0]]


def test_they_are_poisson_and_independent() -> None:
    draws = draw_counts(image_keys(range(2000), 3), 500)
    counts = np.bincount(draws.ravel(), minlength=MAX_DRAWS + 1) / draws.size
    for count in range(6):
        expected = math.exp(-1) / math.factorial(count)
        assert abs(counts[count] - expected) < 5 * math.sqrt(expected / draws.size)
    images = np.corrcoef(draws[:100].astype(float))
    resamples = np.corrcoef(draws[:, :100].T.astype(float))
    for correlations, n in ((images, 500), (resamples, 2000)):
        off = correlations[~np.eye(100, dtype=bool)]
        assert abs(off).max() < 5.5 / math.sqrt(n) and abs(off.mean()) < 5 / (100 * math.sqrt(n))
