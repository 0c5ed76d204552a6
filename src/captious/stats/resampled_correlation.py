"""Correlations over resampled images: one set of draws, which serves any number of metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.stats.bootstrap import bootstrap_counts
from captious.stats.correlation import AREA, STATISTICS, dense_codes, pair_counts

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


MAX_IMAGES_IN_MATRIX = 4000  # whose pairs are held as a matrix, for memory's sake
MAX_CELLS_PER_RATING = (
    1000  # cells of that matrix for each rating: with more, counting anew is quicker
)
MAX_CLASSES = 16  # of ratings, up to which going through them is quicker than sorting
MAX_NUMBERS_AT_ONCE = 1 << 18  # numbers worked on together: they fit a processor's cache


def draw_images(n_images: int, resamples: int, seed: int) -> IntArray:
    """How often each image is drawn with replacement, one row a resample, the bootstrap's draws."""
    none = np.empty((0, n_images), dtype=np.uint16)
    return np.concatenate([none, *bootstrap_counts(n_images, resamples, seed)])


class ResampledCorrelation:
    """Ratings and draws of images, against which any metric's scores are correlated again.

    A row is a rating: `y` its value, `weights` how often it was given, `images` the number of the
    image. Kendall's tau c keeps the number of classes of the whole data: a resample without one of
    the ratings is still rated on the same scale. What is undefined for a resample is NaN.
    """

    def __init__(
        self, y: FloatArray, weights: FloatArray, images: IntArray, draws: IntArray
    ) -> None:
        self.y, self.weights, self.images, self.draws = y, weights, images, draws
        self.codes = dense_codes(y)
        self.n_classes = int(self.codes.max(initial=-1)) + 1
        self.n_images = draws.shape[1]
        self.rows = self._over_draws(weights[:, None])[:, 0]

    def correlations(
        self, x: FloatArray, names: Sequence[str] = STATISTICS
    ) -> dict[str, FloatArray]:
        """The correlations of scores, one for each rating, with the ratings, by resample."""
        if not len(self.draws):
            return {name: np.empty(0) for name in names}
        codes = dense_codes(x)
        by_name: dict[str, FloatArray] = {}
        if not {"kendall_a", "kendall_b", "kendall_c", AREA}.isdisjoint(names):
            by_name |= self._kendall(codes)
        if "pearson" in names:
            by_name["pearson"] = self._pearson(x)
        if "spearman" in names:
            by_name["spearman"] = self._spearman(codes)
        return {name: by_name[name] for name in names}

    def _by_image(self, values: FloatArray) -> FloatArray:
        """Columns summed over the rows of each image."""
        columns = [np.bincount(self.images, column, self.n_images) for column in values.T]
        return np.stack(columns, axis=1)

    def _over_draws(self, values: FloatArray) -> FloatArray:
        """Columns summed over the rows of each resample."""
        by_image = self._by_image(values)
        return np.concatenate(
            [self.draws[block].astype(np.float64) @ by_image for block in self._blocks]
        )

    @property
    def _blocks(self) -> list[slice]:
        """Resamples that are worked on together."""
        step = max(1, MAX_NUMBERS_AT_ONCE // max(1, len(self.y)))
        return [slice(start, start + step) for start in range(0, max(1, len(self.draws)), step)]

    def _pearson(self, x: FloatArray) -> FloatArray:
        x, y, w = _standardise(x), _standardise(self.y), self.weights
        sums = self._over_draws(np.stack([x, y, x * x, y * y, x * y], axis=1) * w[:, None])
        # A resample may have no row at all, where ratings are a part of those drawn from.
        mean_x, mean_y, mean_xx, mean_yy, mean_xy = (sums / np.maximum(self.rows, 1)[:, None]).T
        return _ratio(mean_xy - mean_x * mean_y, mean_xx - mean_x**2, mean_yy - mean_y**2)

    def _kendall(self, codes: IntArray) -> dict[str, FloatArray]:
        if not self._fits_a_matrix:
            few = self.n_classes <= MAX_CLASSES
            return self._kendall_by_class(codes) if few else self._kendall_one_by_one(codes)
        w, images, n = self.weights, self.images, self.n_images
        balance = sum_over_draws(balance_by_images(codes, self.codes, w, images, n), self.draws)
        tied_x = sum_over_draws(ties_by_images(codes, w, images, n), self.draws)
        return self._taus(codes, balance, tied_x, self._tied_y)

    @property
    def _fits_a_matrix(self) -> bool:
        return (
            self.n_images <= MAX_IMAGES_IN_MATRIX
            and self.n_images**2 <= MAX_CELLS_PER_RATING * len(self.y)
            and block_size(len(self.y), self.n_classes) <= MAX_BLOCK_ROWS
        )

    @cached_property
    def _tied_y(self) -> FloatArray:
        ties = ties_by_images(self.codes, self.weights, self.images, self.n_images)
        return sum_over_draws(ties, self.draws)

    def _kendall_by_class(self, codes: IntArray) -> dict[str, FloatArray]:
        """The same for few classes of ratings, by how many rows of each lie below a row."""
        sums = []
        for order, drawn, up_to in self._weighted_draws(codes):
            x, y = codes[order], self.codes[order]
            first = np.searchsorted(x, x)  # rows before it have a lower score
            balance, tied_y = np.zeros(len(drawn)), np.zeros(len(drawn))
            for number in range(self.n_classes):
                inside = y == number
                below = np.cumsum(drawn[:, inside], axis=1)
                below = np.concatenate([np.zeros((len(drawn), 1)), below], axis=1)
                tied_y += below[:, -1] ** 2
                rows = np.flatnonzero(~inside)
                lower = np.take(
                    below, np.cumsum(inside)[first[rows] - 1] * (first[rows] > 0), axis=1
                )
                signed = drawn[:, rows] * np.sign(y[rows] - number)
                balance += np.einsum("ij,ij->i", signed, lower)
            tied_x = (np.diff(up_to, axis=1, prepend=0) ** 2).sum(axis=1)
            sums.append(np.stack([balance, tied_x, tied_y], axis=1))
        return self._taus(codes, *np.concatenate(sums).T)

    def _kendall_one_by_one(self, codes: IntArray) -> dict[str, FloatArray]:
        """The same where a matrix of images would be too large: pairs counted for each resample."""
        x, y = codes.astype(np.float64), self.codes.astype(np.float64)
        sums = np.empty((len(self.draws), 3))
        for row, drawn in enumerate(self.draws):
            counts = pair_counts(x, y, self.weights * drawn[self.images])
            # As `ties_by_images` counts them: ordered, each row with itself.
            tied_x, tied_y = (2 * tied + counts.rows for tied in (counts.tied_x, counts.tied_y))
            sums[row] = counts.balance, tied_x, tied_y
        return self._taus(codes, *sums.T)

    def _taus(
        self, codes: IntArray, balance: FloatArray, tied_x: FloatArray, tied_y: FloatArray
    ) -> dict[str, FloatArray]:
        """Kendall's three and the area, from concordant less discordant pairs and ordered ties."""
        squared = self.rows**2
        classes = min(self.n_classes, int(codes.max(initial=-1)) + 1)
        rated_apart = squared - tied_y > 0
        told_apart = rated_apart & (squared - tied_x > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            taus = {
                "kendall_a": 2 * balance / (squared - self.rows),
                "kendall_b": 2 * balance / np.sqrt(squared - tied_x) / np.sqrt(squared - tied_y),
                "kendall_c": 2 * balance / (squared * (classes - 1) / max(classes, 1)),
            }
            area = (1 + 2 * balance / (squared - tied_y)) / 2  # of constant scores, one half
        known = {name: np.where(told_apart, tau, np.nan) for name, tau in taus.items()}
        return {**known, AREA: np.where(rated_apart, area, np.nan)}

    def _spearman(self, codes: IntArray) -> FloatArray:
        parts = []
        for block, (order, drawn, up_to) in zip(
            self._blocks, self._weighted_draws(codes), strict=True
        ):
            ranks_y, spread_y = self._ranks_y
            ranks_x, spread_x = _centred_ranks(up_to)
            ranks_x = np.take(ranks_x, codes[order], axis=1)
            drawn *= np.take(ranks_y[block], self.codes[order], axis=1)
            covariance = np.einsum("ij,ij->i", drawn, ranks_x)
            parts.append(_ratio(covariance, spread_x, spread_y[block]))
        return np.concatenate(parts)

    @cached_property
    def _ranks_y(self) -> tuple[FloatArray, FloatArray]:
        """For each resample the rank of each class of ratings, and the ranks' spread."""
        return _centred_ranks(
            np.concatenate([up_to for _, _, up_to in self._weighted_draws(self.codes)])
        )

    def _weighted_draws(self, codes: IntArray) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        """By block of resamples: rows in order of codes, their draws, and draws up to a code."""
        order = np.argsort(codes, kind="stable")
        last = np.flatnonzero(np.diff(codes[order], append=-1))
        w, images = self.weights[order], self.images[order]
        for block in self._blocks:
            drawn = np.take(self.draws[block], images, axis=1) * w
            up_to = np.take(np.cumsum(drawn, axis=1), last, axis=1)
            yield order, drawn, up_to


def _centred_ranks(up_to: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ranks of distinct values less their mean, and their sum of squares.

    `up_to` has how many rows have a value or a lower one. Tied rows share the mean of their ranks.
    """
    tied = np.diff(up_to, axis=1, prepend=0)
    total = up_to[:, -1:]
    cubes = np.einsum("ij,ij,ij->i", tied, tied, tied)
    return up_to - (tied + total) / 2, (total[:, 0] ** 3 - cubes) / 12


def _standardise(x: FloatArray) -> FloatArray:
    """Values with mean 0 and a largest size of 1, so that sums of squares lose nothing."""
    x = x - x.mean()
    largest = np.abs(x).max()
    return x / largest if largest > 0 else x


def _ratio(covariance: FloatArray, spread_x: FloatArray, spread_y: FloatArray) -> FloatArray:
    """A correlation; NaN where one side does not vary beyond rounding."""
    defined = (spread_x > 1e-14) & (spread_y > 1e-14)
    root = np.sqrt(np.where(defined, spread_x, 1)) * np.sqrt(np.where(defined, spread_y, 1))
    return np.where(defined, np.clip(covariance / root, -1, 1), np.nan)
