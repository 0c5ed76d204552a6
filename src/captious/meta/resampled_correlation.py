"""Correlations over resampled images: one set of draws, which serves any number of metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.meta.protocol import AREA, STATISTICS
from captious.stats.bootstrap import bootstrap_counts
from captious.stats.correlation import dense_codes, pair_counts
from captious.stats.image_pairs import (
    MAX_BLOCK_ROWS,
    balance_by_images,
    block_size,
    sum_over_draws,
    ties_by_images,
)

MOST_IMAGES = 4000  # whose pairs are held as a matrix, for memory's sake
DENSE = 1000  # cells of that matrix for each rating: with more, counting anew is quicker
MOST_CLASSES = 16  # of ratings, up to which going through them is quicker than sorting
AT_ONCE = 1 << 18  # numbers worked on together: they fit a processor's cache


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
        step = max(1, AT_ONCE // max(1, len(self.y)))
        return [slice(start, start + step) for start in range(0, max(1, len(self.draws)), step)]

    def _pearson(self, x: FloatArray) -> FloatArray:
        x, y, w = _standardised(x), _standardised(self.y), self.weights
        sums = self._over_draws(np.stack([x, y, x * x, y * y, x * y], axis=1) * w[:, None])
        # A resample may have no row at all, where ratings are a part of those drawn from.
        mean_x, mean_y, mean_xx, mean_yy, mean_xy = (sums / np.maximum(self.rows, 1)[:, None]).T
        return _ratio(mean_xy - mean_x * mean_y, mean_xx - mean_x**2, mean_yy - mean_y**2)

    def _kendall(self, codes: IntArray) -> dict[str, FloatArray]:
        if not self._fits_a_matrix:
            few = self.n_classes <= MOST_CLASSES
            return self._kendall_by_class(codes) if few else self._kendall_one_by_one(codes)
        w, images, n = self.weights, self.images, self.n_images
        balance = sum_over_draws(balance_by_images(codes, self.codes, w, images, n), self.draws)
        tied_x = sum_over_draws(ties_by_images(codes, w, images, n), self.draws)
        return self._taus(codes, balance, tied_x, self._tied_y)

    @property
    def _fits_a_matrix(self) -> bool:
        return (
            self.n_images <= MOST_IMAGES
            and self.n_images**2 <= DENSE * len(self.y)
            and block_size(len(self.y), self.n_classes) <= MAX_BLOCK_ROWS
        )

    @cached_property
    def _tied_y(self) -> FloatArray:
        ties = ties_by_images(self.codes, self.weights, self.images, self.n_images)
        return sum_over_draws(ties, self.draws)

    def _kendall_by_class(self, codes: IntArray) -> dict[str, FloatArray]:
        """The same for few classes of ratings, by how many rows of each lie below a row."""
        sums = []
        for order, drawn, up_to in self._drawn(codes):
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
        for block, (order, drawn, up_to) in zip(self._blocks, self._drawn(codes), strict=True):
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
        return _centred_ranks(np.concatenate([up_to for _, _, up_to in self._drawn(self.codes)]))

    def _drawn(self, codes: IntArray) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
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


def _standardised(x: FloatArray) -> FloatArray:
    """Values with mean 0 and a largest size of 1, so that sums of squares lose nothing."""
    x = x - x.mean()
    largest = np.abs(x).max()
    return x / largest if largest > 0 else x


def _ratio(covariance: FloatArray, spread_x: FloatArray, spread_y: FloatArray) -> FloatArray:
    """A correlation; NaN where one side does not vary beyond rounding."""
    defined = (spread_x > 1e-14) & (spread_y > 1e-14)
    root = np.sqrt(np.where(defined, spread_x, 1)) * np.sqrt(np.where(defined, spread_y, 1))
    return np.where(defined, np.clip(covariance / root, -1, 1), np.nan)
