"""Power: how many images with judgements are needed to tell two metrics apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.accuracy import PairGroups, credits
from captious.meta.agreement import directed
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Preferences
from captious.meta.protocol import IMAGE_PAIRS, PAIRWISE
from captious.meta.resampled_correlation import ResampledCorrelation
from captious.meta.significance import ALPHA
from captious.meta.votes import number_images, votes_of
from captious.stats.pairwise_accuracy import accuracy_over_all_pairs, accuracy_within_images

ENOUGH = 0.8  # of draws, which is what studies are planned for
LEAST_IMAGES = 10
BEYOND = (2, 4)  # times the images that there are
AT_ONCE = 1 << 26  # draws times images
NORMAL = NormalDist()

Over = Callable[[IntArray], FloatArray]  # a statistic by draw


@dataclass(frozen=True)
class Chance:
    """What so many images show: how often the right sign, and how often significance with it."""

    images: int
    judgements: int
    right_sign: float
    significant: float


@dataclass(frozen=True, repr=False)
class Power(TabularResult):
    """How often two metrics are told apart by how many images; b less a is what is looked for.

    `least` is the number of images for which it is 80 % of draws; None beyond the last row, or
    where there is no difference.
    """

    benchmark: str
    statistic: str
    a: str
    b: str
    difference: float
    images: int  # that there are
    rows: tuple[Chance, ...]
    least: int | None
    draws: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        table: dict[str, Any] = nan_to_none(
            {**vars(self), "rows": [vars(row) for row in self.rows]}
        )
        return table

    def as_tables(self) -> list[OutputTable]:
        """One row a number of images."""
        rows = [
            [f"{row.images:,}", f"{row.judgements:,}", *_percent(row.right_sign, row.significant)]
            for row in self.rows
        ]
        return [OutputTable(["images", "judgements", "right sign", "significant"], rows)]

    def above(self) -> list[str]:
        """What is looked for."""
        what = f"{self.b} - {self.a} {self.difference:+.4f} ({self.statistic})"
        return [f"{self.benchmark}: {what}, {self.images:,} images"]

    def below(self) -> list[str]:
        """How many images it takes."""
        if self.least is None:
            most = self.rows[-1].images
            least = f"{ENOUGH:.0%} are not reached with {most:,} images"
        elif self.least <= LEAST_IMAGES:
            least = f"{ENOUGH:.0%} are reached with {LEAST_IMAGES} images or fewer"
        else:
            least = f"{ENOUGH:.0%} are reached with {self.least:,} images"
        lines = [f"{least}; {self.draws:,} draws of each number, p < {ALPHA}"]
        if self.rows[-1].images > self.images:
            lines.append(f"more than {self.images:,} images are these, drawn several times")
        return lines

    def brief(self) -> list[str]:
        """What is looked for, and how many images it takes."""
        return [*self.above(), *self.below()]

    def records(self) -> list[dict[str, Any]]:
        """One row a number of images."""
        return [vars(row) for row in self.rows]


@check_arguments
def power(evaluation: Evaluation, a: str, b: str) -> Power:
    """How many images are needed to tell two metrics of an evaluation apart.

    For each number of images, so many are drawn with replacement, as often as the evaluation has
    resamples. A difference is significant if it is far from none beside the standard deviation over
    draws of that number, as in all tests of differences here; only what has the sign of the
    difference on all images counts.
    """
    agreements = evaluation.agreements
    judgements, scores = evaluation.judgements, directed(evaluation.scores)
    if evaluation.is_mean or judgements is None:
        raise InputError(f"{evaluation.benchmark}: a mean over parts cannot be tested for a pair")
    if agreements.resamples < 2:
        raise InputError(
            "the number of images needed is found by resampling: resamples must be above 0"
        )
    row_a, row_b, statistic = agreements[a], agreements[b], agreements.statistic
    difference = row_b.values[statistic] - row_a.values[statistic]
    (over_a, n_images), (over_b, _) = (_over(evaluation, scores[name]) for name in (a, b))
    if n_images < 2:
        raise InputError("the number of images needed cannot be estimated from one image")
    sizes = _sizes(n_images)
    differences = _differences(
        lambda draws: over_b(draws) - over_a(draws),
        sizes,
        n_images,
        agreements.resamples,
        agreements.seed,
    )
    rows = tuple(
        Chance(size, round(size * row_a.n / n_images), *_chances(drawn, difference))
        for size, drawn in zip(sizes, differences, strict=True)
    )
    there = [row for row in rows if row.images <= n_images]
    if there[-1].significant >= ENOUGH:  # no need for more images than there are
        rows = tuple(there)
    return Power(
        evaluation.benchmark,
        evaluation.statistic,
        a,
        b,
        difference,
        n_images,
        rows,
        _least(rows),
        agreements.resamples,
        agreements.seed,
    )


def _sizes(n_images: int) -> list[int]:
    """10, 20, 50, 100 and so on, all that there are, and some more."""
    series = (first * 10**zeros for zeros in range(1, 9) for first in (1, 2, 5))
    return [
        *(size for size in series if size < n_images),
        n_images,
        *(times * n_images for times in BEYOND),
    ]


def _over(evaluation: Evaluation, scores: FloatArray) -> tuple[Over, int]:
    """What gives a metric's statistic by how often images are drawn, and how many there are."""
    judgements, protocol = evaluation.judgements, evaluation.protocol
    if isinstance(judgements, Preferences):
        groups, earned = PairGroups.of(judgements, protocol), credits(scores, judgements, protocol)
        return lambda draws: groups.accuracies(earned, draws)[groups.headline], groups.n_images
    assert judgements is not None
    votes = votes_of(judgements, protocol.raters)
    if protocol.statistic in PAIRWISE:
        votes = votes.one_each()
    images, n_images = number_images([judgements.images[row] for row in votes.captions])
    x = np.asarray(scores, dtype=np.float64)[votes.captions]
    if protocol.statistic in PAIRWISE:
        by_image = protocol.statistic == IMAGE_PAIRS
        calibrated = accuracy_within_images if by_image else accuracy_over_all_pairs
        return calibrated(x, votes.values, images, n_images).over, n_images
    statistic = protocol.statistic

    def over(draws: IntArray) -> FloatArray:
        resampled = ResampledCorrelation(votes.values, votes.weights, images, draws)
        return resampled.correlations(x, (statistic,))[statistic]

    return over, n_images


def _differences(
    over: Over, sizes: Sequence[int], n_images: int, resamples: int, seed: int
) -> list[FloatArray]:
    """The difference over draws of each size; all sizes at once where memory allows it."""
    rng = np.random.default_rng(seed)
    chances = np.full(n_images, 1 / n_images)

    def drawn(size: int) -> IntArray:
        draws = np.empty((resamples, n_images), dtype=np.uint32)
        for row in draws:
            row[:] = rng.multinomial(size, chances)
        return draws

    if resamples * n_images * len(sizes) <= AT_ONCE:
        return np.split(over(np.concatenate([drawn(size) for size in sizes])), len(sizes))
    return [over(drawn(size)) for size in sizes]


def _chances(drawn: FloatArray, difference: float) -> tuple[float, float]:
    """How often draws have the difference's sign, and how often they are significant with it."""
    known = drawn[np.isfinite(drawn)]
    # A draw that tells nothing tells no metrics apart.
    if math.isnan(difference) or difference == 0 or len(known) < 2:
        return math.nan, math.nan
    towards = known * math.copysign(1, difference)
    far = NORMAL.inv_cdf(1 - ALPHA / 2) * float(known.std(ddof=1))
    right, significant = (towards > 0).sum(), ((towards > 0) & (towards > far)).sum()
    return float(right / len(drawn)), float(significant / len(drawn))


def _least(rows: Sequence[Chance]) -> int | None:
    """The number of images with enough power, between rows by the normal distribution.

    What lies so many standard deviations beyond significance grows with the root of the images.
    """
    if rows[0].significant >= ENOUGH:
        return rows[0].images
    for before, after in pairwise(rows):
        if after.significant >= ENOUGH > before.significant:
            low, high = (_deviations(row.significant) for row in (before, after))
            share = (_deviations(ENOUGH) - low) / (high - low)
            start, end = math.sqrt(before.images), math.sqrt(after.images)
            return math.ceil((start + share * (end - start)) ** 2 - 1e-9)
    return None


def _deviations(share: float) -> float:
    return NORMAL.inv_cdf(min(max(share, 0.001), 0.999))


def _percent(*shares: float) -> list[str]:
    return ["-" if math.isnan(share) else f"{share:.1%}" for share in shares]
