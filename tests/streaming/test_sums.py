"""Sums of streams: exact, and the same however the stream is parted and ordered."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.errors import InputError
from captious.stats.exact_sums import ExactSums
from captious.streaming.sums import (
    MAX_DRAWS,
    SAMPLES_PER_BLOCK,
    StreamSums,
    draw_counts,
    image_keys,
)

NUMBERS = st.floats(-1e300, 1e300) | st.floats(-1, 1) | st.sampled_from([5e-324, -2e-308, 1e305])


@pytest.mark.slow
@given(st.lists(NUMBERS, min_size=1, max_size=20), st.integers(0, 20))
def test_exact_sums_equal_fsum(numbers: list[float], cut: int) -> None:
    column = np.array(numbers).reshape(-1, 1)
    parts = ExactSums.of(column[:cut]).total() + ExactSums.of(column[cut:]).total()
    assert parts.to_floats().tolist() == [math.fsum(numbers)]


@pytest.mark.slow
@given(st.lists(st.tuples(NUMBERS, st.integers(0, 12)), min_size=1, max_size=12))
def test_weighted_sums_equal_repetition(rows: list[tuple[float, int]]) -> None:
    column = np.array([[number] for number, _ in rows])
    weights = np.array([[float(weight) for _, weight in rows]])
    repeated = [number for number, weight in rows for _ in range(weight)]
    try:
        expected = math.fsum(repeated)
    except OverflowError:
        return
    assert ExactSums.of(column).weighted_totals(weights).to_floats().tolist() == [[expected]]


def test_carrying_keeps_billions_of_additions_apart() -> None:
    one = ExactSums.of(np.array([1.5, -2.25]))
    many = ExactSums(one.first, one.digits * (1 << 30)).carry()
    for _ in range(40):
        many = many + many
    assert many.to_floats().tolist() == [1.5 * 2.0**70, -2.25 * 2.0**70]


def samples(count: int) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    chance = np.random.default_rng(1)
    images = [f"{number // 3}" for number in range(count)]
    return images, np.column_stack([chance.random((count, 2)), np.ones(count)])


def test_order_and_parts_change_no_bit(tmp_path: Path) -> None:
    images, statistics = samples(SAMPLES_PER_BLOCK + 500)
    whole = StreamSums.of(images, statistics, 40, 0)
    order = np.random.default_rng(2).permutation(len(images))
    pieces = [order[:700], order[700:701], order[701:]]
    parts = [
        StreamSums.of([images[row] for row in some], statistics[some], 40, 0) for some in pieces
    ]
    parts[1].save(tmp_path / "sums.npz")
    parts[1] = StreamSums.load(tmp_path / "sums.npz")
    joined = parts[2] + parts[0] + parts[1]
    assert joined.samples == len(images)
    for name in ("observed", "resampled"):
        ours, theirs = getattr(joined, name).to_floats(), getattr(whole, name).to_floats()
        assert (ours == theirs).all()


def test_resampled_sums_are_draws_times_statistics() -> None:
    images, statistics = samples(300)
    sums = StreamSums.of(images, statistics, 7, 5).resampled.to_floats()
    drawn = draw_counts(image_keys(images, 5), 7).T.astype(float)
    assert np.allclose(sums, drawn @ statistics, rtol=1e-13)
    assert (sums[:, -1] == drawn.sum(axis=1)).all()


def test_no_resamples_and_damaged_files(tmp_path: Path) -> None:
    images, statistics = samples(10)
    assert StreamSums.of(images, statistics, 0, 0).resampled.to_floats().shape == (0, 3)
    (tmp_path / "sums.npz").write_bytes(b"PK damaged")
    with pytest.raises(InputError, match="not a file of sums"):
        StreamSums.load(tmp_path / "sums.npz")


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


def test_draws_are_poisson_and_independent() -> None:
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
