"""Correlation: Pearson, Spearman, Kendall and the area under the ROC curve, exact with many ties.

A weight says how often a row occurs: a row of weight 3 counts as three equal rows. Where one side
is constant a correlation is undefined, and is NaN; so is the area where the ratings are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError

PEARSON, AREA = "pearson", "auc"
STATISTICS = ("kendall_a", "kendall_b", "kendall_c", PEARSON, "spearman", AREA)
NAN = float("nan")


def pearson(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Pearson's r: the linear correlation."""
    x, y, w = _columns(x, y, weights)
    if _is_constant(x) or _is_constant(y):
        return NAN
    total = w.sum()
    x = x - (w @ x) / total
    y = y - (w @ y) / total
    # Scaled first, so that very small or very large scores neither vanish nor overflow.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    r = (w @ (x * y)) / math.sqrt((w @ (x * x)) * (w @ (y * y)))
    return float(np.clip(r, -1, 1))


def spearman(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Spearman's rho: Pearson's r of ranks, tied values sharing the mean of their ranks."""
    x, y, w = _columns(x, y, weights)
    return pearson(midranks(x, w), midranks(y, w), w)


def kendall_a(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Kendall's tau a: concordant minus discordant pairs, over all pairs."""
    return pair_counts(x, y, weights).kendall_a


def kendall_b(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Kendall's tau b: concordant minus discordant pairs, ties taken out of both sides."""
    return pair_counts(x, y, weights).kendall_b


def kendall_c(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Kendall's tau c (Stuart's): over the most that so few distinct values allow."""
    return pair_counts(x, y, weights).kendall_c


def roc_auc(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Area under the ROC curve: the share of pairs untied in `y` that `x` orders alike."""
    return pair_counts(x, y, weights).roc_auc


def tied_share(x: FloatArray, weights: FloatArray | None = None) -> float:
    """The share of pairs whose two values are equal; 0 where there is no pair."""
    x, _, w = _columns(x, x, weights)
    pairs = _pairs(w.sum())
    return float(_tied(dense_codes(x), w) / pairs) if pairs > 0 else 0.0


@dataclass(frozen=True)
class PairCounts:
    """Counts of tied, concordant and discordant pairs, from which all Kendall's taus follow."""

    rows: float
    tied_x: float
    tied_y: float
    balance: float  # concordant pairs minus discordant ones
    classes: int  # distinct values on the side that has fewer

    @property
    def pairs(self) -> float:
        """All pairs of rows."""
        return _pairs(self.rows)

    @property
    def kendall_a(self) -> float:
        """Tau a: over all pairs."""
        return self.balance / self.pairs if self.classes > 1 else NAN

    @property
    def kendall_b(self) -> float:
        """Tau b: over the geometric mean of the pairs untied on either side."""
        if self.classes < 2:
            return NAN
        # Two roots, for the product of two counts of pairs may not be exact.
        untied = math.sqrt(self.pairs - self.tied_x) * math.sqrt(self.pairs - self.tied_y)
        return min(1.0, max(-1.0, self.balance / untied))

    @property
    def kendall_c(self) -> float:
        """Tau c: over the maximum that a table of so many classes allows."""
        if self.classes < 2:
            return NAN
        return 2 * self.balance / (self.rows**2 * (self.classes - 1) / self.classes)

    @property
    def roc_auc(self) -> float:
        """The share of pairs that differ in `y` and have the same order in `x`, ties one half.

        Of two classes it is the area under the ROC curve; of more, the mean over all their pairs.
        A constant `x` ties them all; it is undefined only if `y` is constant.
        """
        if self.pairs <= self.tied_y:
            return NAN
        return (1 + self.balance / (self.pairs - self.tied_y)) / 2


def pair_counts(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> PairCounts:
    """Count pairs in n log k steps, k being the distinct values of the side with fewer."""
    x, y, w = _columns(x, y, weights)
    code_x, code_y = dense_codes(x), dense_codes(y)
    few, many = sorted((code_x, code_y), key=lambda code: int(code.max(initial=-1)))
    # Rows tied on one side ascend on the other, so that they are never taken as discordant.
    order = np.lexsort((few, many))
    few, many, sorted_w = few[order], many[order], w[order]
    both_new = np.flatnonzero((np.diff(few, prepend=-1) != 0) | (np.diff(many, prepend=-1) != 0))
    tied_both = _tied_sum(np.add.reduceat(sorted_w, both_new)) if len(w) else 0.0
    tied_x, tied_y = _tied(code_x, w), _tied(code_y, w)
    rows = float(w.sum())
    untied = _pairs(rows) - tied_x - tied_y + tied_both
    balance = untied - 2 * _discordant(few, sorted_w)
    return PairCounts(rows, tied_x, tied_y, balance, int(few.max(initial=-1)) + 1)


def _discordant(codes: IntArray, w: FloatArray) -> float:
    """The weight of pairs in which the earlier code is the larger.

    Two codes differ first in one bit. From the highest bit down, rows that agree in all bits above
    stand together in their first order, and each 0 is discordant with the 1s before it.
    """
    highest = int(codes.max(initial=0))
    # NumPy sorts narrow integers in linear time.
    codes = codes.astype(np.uint16 if highest < 1 << 16 else np.uint32)
    total = 0.0
    for bit in range(highest.bit_length() - 1, -1, -1):
        above = codes >> (bit + 1)
        is_one = ((codes >> bit) & 1).astype(bool)
        ones = np.where(is_one, w, 0.0)
        before = np.cumsum(ones) - ones
        new = np.empty(len(codes), dtype=bool)
        new[:1] = True
        new[1:] = above[1:] != above[:-1]
        at_start = np.maximum.accumulate(np.where(new, before, 0.0))
        total += float((w * (before - at_start))[~is_one].sum())
        order = np.argsort(codes >> bit, kind="stable")
        codes, w = codes[order], w[order]
    return total


def midranks(x: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return ranks from 1 on, tied values sharing the mean of theirs."""
    codes = dense_codes(x)
    tied = np.bincount(codes, weights)
    ranks: FloatArray = (np.cumsum(tied) - tied + (tied + 1) / 2)[codes]
    return ranks


def dense_codes(x: FloatArray) -> IntArray:
    """Return each value's index among the sorted distinct values."""
    return np.unique(x, return_inverse=True)[1]


def _pairs(rows: float) -> float:
    return rows * (rows - 1) / 2


def _tied(codes: IntArray, w: FloatArray) -> float:
    return _tied_sum(np.bincount(codes, w).astype(np.float64))


def _tied_sum(sizes: FloatArray) -> float:
    return float((sizes * (sizes - 1)).sum() / 2)


def _is_constant(x: FloatArray) -> bool:
    return len(x) < 2 or bool((x == x[0]).all())


def _columns(
    x: FloatArray, y: FloatArray, weights: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Both sides and the weights as float arrays of one length, rows of weight 0 left out."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    if not x.shape == y.shape == w.shape or x.ndim != 1:
        raise InputError(
            f"a correlation needs columns of one length, not {x.shape}, {y.shape} and {w.shape}"
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("a correlation needs finite numbers; leave out rows that have none")
    if not (np.isfinite(w).all() and (w >= 0).all()):
        raise InputError("weights say how often a row occurs: they are finite and not negative")
    if weights is not None and not w.all():
        is_positive = w > 0
        x, y, w = x[is_positive], y[is_positive], w[is_positive]
    return x, y, w


def correlations(
    x: FloatArray, y: FloatArray, weights: FloatArray | None = None
) -> dict[str, float]:
    """Return all correlations at once, Kendall's and the AUC from one count of pairs."""
    counts = pair_counts(x, y, weights)
    return {
        "kendall_a": counts.kendall_a,
        "kendall_b": counts.kendall_b,
        "kendall_c": counts.kendall_c,
        "pearson": pearson(x, y, weights),
        "spearman": spearman(x, y, weights),
        "auc": counts.roc_auc,
    }


CORRELATIONS = {
    "kendall_a": kendall_a,
    "kendall_b": kendall_b,
    "kendall_c": kendall_c,
    "pearson": pearson,
    "spearman": spearman,
}
