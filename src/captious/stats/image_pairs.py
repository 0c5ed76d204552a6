"""Pair counts of Kendall's correlations by image, so that a resample is one matrix product.

What Kendall's correlations count is a sum over pairs of rows. If image I is drawn c_I times, a pair
with one row in image I and one in image J counts c_I * c_J times: summed into a matrix of images
by images once, every resample is c @ matrix @ c.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray

MAX_PRODUCT_COLUMNS = 2560  # blocks times classes; more makes products slower and blocks faster
MAX_BLOCK_ROWS = 4096  # compared pair by pair
MIN_LARGE_TIE = 64  # rows; larger ties are counted together
DRAWS_PER_BLOCK = 256


def block_size(rows: int, classes: int) -> int:
    """Return how many rows of neighbouring scores are compared pair by pair."""
    return max(64, -(-rows * classes // MAX_PRODUCT_COLUMNS))


def balance_by_images(
    x: IntArray, y: IntArray, w: FloatArray, images: IntArray, n_images: int
) -> FloatArray:
    """Concordant minus discordant pairs by images; `x` and `y` are places among distinct values.

    Rows in order of x are cut into blocks. A row against all blocks below it needs only how many
    rows of each class of y each image has there; rows of one block are compared directly.
    """
    order = np.argsort(x, kind="stable")
    x, y, w, images = x[order], y[order], w[order], images[order]
    classes = int(y.max(initial=0)) + 1
    blocks, is_direct = _blocks(x, block_size(len(x), classes))
    n_blocks = int(blocks[-1]) + 1 if len(blocks) else 0
    balance = _between_blocks(blocks * classes + y, w, images, (n_images, n_blocks, classes))
    starts = np.flatnonzero(np.diff(blocks, prepend=-1, append=n_blocks))
    for start, end in pairwise(starts):
        if is_direct[start]:
            rows = start + np.argsort(images[start:end], kind="stable")
            _add_block(balance, x[rows], y[rows], w[rows], images[rows])
    return balance


def _between_blocks(
    cells: IntArray, w: FloatArray, images: IntArray, shape: tuple[int, int, int]
) -> FloatArray:
    """Pairs of rows in different blocks; a cell is a class of y in a block."""
    n_images, n_blocks, classes = shape
    width = n_blocks * classes
    if n_blocks < 2:
        return np.zeros((n_images, n_images))
    counts = np.bincount(images * width + cells, w, n_images * width).reshape(shape)
    # Counts are small whole numbers: narrow floats hold them exactly, and multiply twice as fast.
    narrow = counts.sum(axis=(1, 2)).max() ** 2 < 1 << 24 and (w == np.floor(w)).all()
    counts = counts.astype(np.float32) if narrow else counts
    below = np.cumsum(counts, axis=1) - counts
    up_to = np.cumsum(below, axis=2)
    margin = 2 * up_to - below - up_to[:, :, -1:]  # rows of lower classes minus rows of higher
    balance: FloatArray = counts.reshape(-1, width) @ margin.reshape(-1, width).T
    return balance.astype(np.float64)


def _blocks(x: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """The block of each row, ties kept whole; and whether its rows are to be compared directly."""
    first = np.flatnonzero(np.diff(x, prepend=-1))
    lengths = np.diff(first, append=len(x))
    # A large tie is a block of its own: its rows need no comparison. What follows it lies `size`
    # rows further on, and so in another block anyway.
    alone = lengths >= size
    numbers = np.cumsum(alone | (np.diff(first // size, prepend=-1) != 0)) - 1
    return np.repeat(numbers, lengths), np.repeat(~alone, lengths)


def _add_block(
    balance: FloatArray, x: IntArray, y: IntArray, w: FloatArray, images: IntArray
) -> None:
    """Add the pairs of one block, whose rows stand in order of their images."""
    agree = np.sign(x[:, None] - x) * np.sign(y[:, None] - y) * (w[:, None] * w)
    first = np.flatnonzero(np.diff(images, prepend=-1))
    summed = np.add.reduceat(np.add.reduceat(agree, first, axis=0), first, axis=1)
    # Each pair stands here twice, as (a, b) and as (b, a).
    balance[np.ix_(images[first], images[first])] += summed / 2


def ties_by_images(x: IntArray, w: FloatArray, images: IntArray, n_images: int) -> FloatArray:
    """Ordered pairs of rows with equal `x` by images, each row with itself among them."""
    sizes = np.bincount(x)
    large = sizes >= MIN_LARGE_TIE
    is_large = large[x]
    numbers = (np.cumsum(large) - 1)[x[is_large]]
    n_large = int(large.sum())
    place = images[is_large] * n_large + numbers
    counts = np.bincount(place, w[is_large], n_images * n_large).reshape(n_images, n_large)
    ties = (counts @ counts.T).astype(np.float64)
    small = np.flatnonzero(~is_large)
    small = small[np.argsort(x[small], kind="stable")]
    x, w, images = x[small], w[small], images[small]
    flat = ties.reshape(-1)
    for apart in range(int(sizes[~large].max(initial=0))):
        earlier = np.flatnonzero(x[: len(x) - apart] == x[apart:])
        later = earlier + apart
        pairs = w[earlier] * w[later] * (2 if apart else 1)
        np.add.at(flat, images[earlier] * n_images + images[later], pairs)
    return ties


def sum_over_draws(matrix: FloatArray, draws: IntArray) -> FloatArray:
    """Return the sum over all pairs for each row of `draws`, the counts of drawn images."""
    sums = np.empty(len(draws))
    for start in range(0, len(draws), DRAWS_PER_BLOCK):
        drawn = draws[start : start + DRAWS_PER_BLOCK].astype(np.float64)
        sums[start : start + DRAWS_PER_BLOCK] = np.einsum("ij,ij->i", drawn @ matrix, drawn)
    return sums
