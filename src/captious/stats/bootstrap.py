"""Seeded bootstrap, jackknife and randomization of sums over images."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks import bounds
from captious._internal.checks.bounds import DRAWS, check_number

RESAMPLES = 1000
SEED = 0
MAX_EXACT_INTEGER = 2.0**53  # integers up to here are exact in float64
MAX_BLOCK_SIZE = 1 << 23  # numbers drawn at once: bounds memory, changes nothing else
MAX_IMAGES_PER_DRAW = 1 << 14  # images drawn at once, so that few images take few calls
ROUNDING_TOLERANCE = 1e-12  # relative; values closer together count as equal


def check_draws(resamples: int, seed: int) -> None:
    """Raise unless the number of resamples and the seed are valid."""
    check_number("resamples", resamples, DRAWS)
    check_number("seed", seed, bounds.SEED)


def exact_sum(statistics: FloatArray) -> FloatArray:
    """Return correctly rounded column sums, which do not depend on the order of samples."""
    sums: FloatArray = statistics.sum(axis=0)
    # Whole numbers add up exactly in any order; most statistics are counts.
    fractional = (statistics != np.floor(statistics)).any(axis=0) | (
        np.abs(sums) > MAX_EXACT_INTEGER
    )
    for column in np.flatnonzero(fractional & np.isfinite(sums)):
        sums[column] = math.fsum(statistics[:, column].tolist())
    return sums


def sum_by_image(ids: Sequence[Hashable], statistics: FloatArray) -> FloatArray:
    """Sum the statistics of each image's samples; one row an image, in the order of ids as text.

    Resampling draws rows by number, so samples in another order must give the same rows.
    """
    names = [str(image) for image in ids]
    order = sorted(range(len(names)), key=names.__getitem__)
    starts = [
        place
        for place, row in enumerate(order)
        if place == 0 or names[row] != names[order[place - 1]]
    ]
    return np.add.reduceat(statistics[order], starts, axis=0)


def bootstrap(statistics: FloatArray, resamples: int = RESAMPLES, seed: int = SEED) -> FloatArray:
    """Return sums over images drawn with replacement, one row a resample."""
    blocks = bootstrap_counts(len(statistics), resamples, seed)
    sums = [_sum_draws(drawn, statistics) for drawn in blocks]
    return np.concatenate([np.empty((0, *statistics.shape[1:])), *sums])


def bootstrap_counts(n: int, resamples: int, seed: int) -> Iterator[IntArray]:
    """Yield, in blocks, how often each image is drawn with replacement; one row a resample."""
    rng = np.random.default_rng(seed)
    rows_at_once, rows_drawn = (
        max(1, size // max(1, n)) for size in (MAX_BLOCK_SIZE, MAX_IMAGES_PER_DRAW)
    )
    for start in range(0, resamples, rows_at_once):
        block = np.empty((min(rows_at_once, resamples - start), n), dtype=np.uint16)
        for part in np.split(block, range(rows_drawn, len(block), rows_drawn)):
            drawn = rng.integers(n, size=part.shape)
            drawn += np.arange(len(part))[:, None] * n  # each row counts in a place of its own
            part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
        yield block


def jackknife_counts(n: int) -> Iterator[IntArray]:
    """Yield, in blocks, the counts with each image left out in turn; one row an image."""
    rows_at_once = max(1, MAX_BLOCK_SIZE // max(1, n))
    for start in range(0, n, rows_at_once):
        block = np.ones((min(rows_at_once, n - start), n), dtype=np.uint8)
        np.fill_diagonal(block[:, start:], 0)
        yield block


def randomization_sums(
    statistics: FloatArray, resamples: int = RESAMPLES, seed: int | np.random.Generator = SEED
) -> Iterator[FloatArray]:
    """Yield, in blocks, sums over images chosen by fair coin flips; one row a draw.

    A generator passed as the seed continues from its current state.
    """
    rng = np.random.default_rng(seed)
    n, width = statistics.shape
    rows_at_once = max(1, MAX_BLOCK_SIZE // max(1, n, width))
    for start in range(0, resamples, rows_at_once):
        coins = rng.integers(2, size=(min(rows_at_once, resamples - start), n))
        yield _sum_draws(coins, statistics)


def _sum_draws(drawn: IntArray, statistics: FloatArray) -> FloatArray:
    """Return the sums of each draw, bit-identical for any number of threads and cores."""
    from threadpoolctl import threadpool_limits  # slow to import

    with threadpool_limits(1, "blas"):
        product: FloatArray = drawn.astype(np.float64) @ statistics
    return product


def count_as_extreme(by_chance: FloatArray, observed: float, scale: float) -> int:
    """Count differences by chance that are at least as far from 0 as the observed one.

    `scale` is the size of what was subtracted: rounding, which is relative to it, must not decide
    whether a draw equal to the observed difference counts.
    """
    return int(np.count_nonzero(np.abs(by_chance) >= abs(observed) - ROUNDING_TOLERANCE * scale))


def p_value_from_count(count: int, draws: int) -> float:
    """Return a p-value; the observed difference counts as a draw, so it is never 0."""
    return (count + 1) / (draws + 1)


def max_abs(*values: FloatArray | float) -> float:
    """Return the largest absolute value of the finite numbers, 0 if there are none."""
    sizes = np.abs(np.concatenate([np.ravel(each) for each in values]))
    return float(sizes[np.isfinite(sizes)].max(initial=0))
