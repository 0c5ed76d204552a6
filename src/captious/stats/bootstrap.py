"""Statistics summed again over resampled images: bootstrap and randomisation, seeded."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks import bounds
from captious._internal.checks.bounds import DRAWS, check_number

RESAMPLES = 1000
SEED = 0
EXACT_UP_TO = 2.0**53  # of whole numbers in floating point
BLOCK = 1 << 23  # numbers drawn at once: bounds memory, changes nothing else
ROUNDING = 1e-12  # of a statistic of sums, relative to its size: what lies closer together is equal


def check_draws(resamples: int, seed: int) -> None:
    """Stop at numbers that nothing can be drawn with."""
    check_number("resamples", resamples, DRAWS)
    check_number("seed", seed, bounds.SEED)


def exact_sum(statistics: FloatArray) -> FloatArray:
    """Column sums without rounding on the way, so that the order of samples does not matter."""
    sums: FloatArray = statistics.sum(axis=0)
    # Whole numbers add up exactly in any order; most statistics are counts.
    fractional = (statistics != np.floor(statistics)).any(axis=0) | (np.abs(sums) > EXACT_UP_TO)
    for column in np.flatnonzero(fractional & np.isfinite(sums)):
        sums[column] = math.fsum(statistics[:, column].tolist())
    return sums


def sum_by_image(ids: Sequence[Hashable], statistics: FloatArray) -> FloatArray:
    """One row an image: its samples' statistics summed, in an order that only ids decide.

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
    """Sums over images drawn with replacement, one row a resample."""
    blocks = blocks_of_draws(len(statistics), resamples, seed)
    sums = [_product(drawn, statistics) for drawn in blocks]
    return np.concatenate([np.empty((0, *statistics.shape[1:])), *sums])


def blocks_of_draws(n: int, resamples: int, seed: int) -> Iterator[IntArray]:
    """How often each image is drawn with replacement, one row a resample, in blocks."""
    rng = np.random.default_rng(seed)
    rows_at_once = max(1, BLOCK // max(1, n))
    for start in range(0, resamples, rows_at_once):
        block = np.empty((min(rows_at_once, resamples - start), n), dtype=np.uint16)
        for row in block:
            row[:] = np.bincount(rng.integers(n, size=n), minlength=n)
        yield block


def blocks_left_out(n: int) -> Iterator[IntArray]:
    """The same as `blocks_of_draws` if each image in turn is left out: one row an image."""
    rows_at_once = max(1, BLOCK // max(1, n))
    for start in range(0, n, rows_at_once):
        block = np.ones((min(rows_at_once, n - start), n), dtype=np.uint8)
        np.fill_diagonal(block[:, start:], 0)
        yield block


def blocks_chosen_by_coins(
    statistics: FloatArray, resamples: int = RESAMPLES, seed: int | np.random.Generator = SEED
) -> Iterator[FloatArray]:
    """Sums over images that a coin chooses, each with even chances, one row a draw, in blocks.

    A generator instead of a seed goes on where it is.
    """
    rng = np.random.default_rng(seed)
    n, width = statistics.shape
    rows_at_once = max(1, BLOCK // max(1, n, width))
    for start in range(0, resamples, rows_at_once):
        coins = rng.integers(2, size=(min(rows_at_once, resamples - start), n))
        yield _product(coins, statistics)


def _product(drawn: IntArray, statistics: FloatArray) -> FloatArray:
    """The sums of each draw, the same to the last bit whatever the number of threads or cores."""
    from threadpoolctl import threadpool_limits  # takes its time, and who draws has some

    with threadpool_limits(1, "blas"):
        product: FloatArray = drawn.astype(np.float64) @ statistics
    return product


def count_as_extreme(by_chance: FloatArray, observed: float, scale: float) -> int:
    """How many differences by chance are at least as far from 0 as the observed one.

    `scale` is the size of what was subtracted: rounding, which is relative to it, must not decide
    whether a draw equal to the observed difference counts.
    """
    return int(np.count_nonzero(np.abs(by_chance) >= abs(observed) - ROUNDING * scale))


def p_value_of(count: int, draws: int) -> float:
    """A p-value; the observed difference counts as one of the draws, so that it is never 0."""
    return (count + 1) / (draws + 1)


def largest_size(*values: FloatArray | float) -> float:
    """The largest absolute value among known numbers, 0 where there are none."""
    sizes = np.abs(np.concatenate([np.ravel(each) for each in values]))
    return float(sizes[np.isfinite(sizes)].max(initial=0))
