"""Two metrics: tests of their difference, and how many images it takes to tell them apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.io.output_tables import OutputTable, TabularResult, format_decimals
from captious.meta.accuracy import PairGroups, pair_credits
from captious.meta.agreement import orient_all_scores
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Preferences, Ratings, number_images, votes_of
from captious.meta.protocol import IMAGE_PAIRS, PAIRWISE
from captious.meta.significance import ALPHA, PairTest, permutation_test, williams
from captious.signature import restate_bootstrap
from captious.stats.intervals import PERCENTILE, Interval
from captious.stats.pairwise_accuracy import accuracy_over_all_pairs, accuracy_within_images
from captious.stats.resampled_correlation import ResampledCorrelation


@dataclass(frozen=True, repr=False)
class Versus(TabularResult):
    """The difference between two metrics' agreement with people, b less a, and tests of it."""

    benchmark: str
    a: str
    b: str
    value_a: float
    value_b: float
    interval: Interval  # of the difference, over resampled images
    tests: tuple[PairTest, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        shown = ("name", "statistic", "difference", "p")
        tests = [{name: getattr(test, name) for name in shown} for test in self.tests]
        table: dict[str, Any] = nan_to_none({**vars(self), "tests": tests})
        return table

    def as_tables(self) -> list[OutputTable]:
        """One row a test."""
        rows = [
            [test.name, test.statistic, f"{test.difference:+.4f}", format_decimals(test.p)]
            for test in self.tests
        ]
        header = ["test", "statistic", f"{self.b} - {self.a}", "p"]
        return [OutputTable(header, rows, 2)]

    def notes_above(self) -> list[str]:
        """Where, how far each agrees, and the interval of the difference."""
        low, high = self.interval
        values = f"{self.a} {self.value_a:.4f}, {self.b} {self.value_b:.4f}"
        return [f"{self.benchmark}: {values}; difference {low:+.4f} to {high:+.4f} (95%)"]

    def notes_below(self) -> list[str]:
        """What all numbers depend on."""
        return [self.signature]

    def brief(self) -> list[str]:
        """What stands above the tests, and their p-values."""
        return [
            *self.notes_above(),
            *(f"{test.name} p {format_decimals(test.p)}" for test in self.tests),
        ]

    def records(self) -> list[dict[str, Any]]:
        """One row a test."""
        tests: list[dict[str, Any]] = self.to_dict()["tests"]
        return [{"a": self.a, "b": self.b, **test} for test in tests]


@check_arguments
def versus(evaluation: Evaluation, a: str, b: str, *, method: str = PERCENTILE) -> Versus:
    """Test two metrics: bootstrap and permutation over images; for ratings also Williams' test.

    Pairwise accuracy has no permutation test.

    `method` is that of the difference's interval: `percentile` or `bca`.
    """
    agreements = evaluation.agreements
    judgements, scores = evaluation.judgements, orient_all_scores(evaluation.scores)
    if evaluation.is_mean or judgements is None:
        raise InputError(f"{evaluation.benchmark}: a mean over parts cannot be tested for a pair")
    row_a, row_b, statistic = agreements[a], agreements[b], agreements.statistic
    difference = row_b.estimate(statistic) - row_a.estimate(statistic)
    interval = difference.interval(method=method)
    drawn = {"resamples": agreements.resamples, "seed": agreements.seed}
    tests = [PairTest("bootstrap", statistic, difference.observed, difference.p_value())]
    if statistic not in PAIRWISE:  # each metric has an epsilon of its own scale
        tests.append(
            permutation_test(scores[a], scores[b], judgements, evaluation.protocol, **drawn)
        )
    if isinstance(judgements, Ratings):
        # The test takes rows as independent: one rating a caption.
        tests.append(williams(scores[a], scores[b], np.nanmean(judgements.ratings, axis=1)))
    values = row_a.values[statistic], row_b.values[statistic]
    stated_method = None if method == PERCENTILE else method  # which signatures leave out
    signature = restate_bootstrap(
        evaluation.signature, agreements.resamples, agreements.seed, stated_method
    )
    return Versus(evaluation.benchmark, a, b, *values, interval, tuple(tests), signature)


ENOUGH_POWER = 0.8  # of draws, which is what studies are planned for
MIN_IMAGES = 10
LARGER_SIZES = (2, 4)  # times the images that there are
MAX_NUMBERS_AT_ONCE = 1 << 26  # draws times images

OverDraws = Callable[[IntArray], FloatArray]  # a statistic by draw


@dataclass(frozen=True)
class PowerRow:
    """What so many images show: how often the right sign, and how often significance with it."""

    images: int
    judgements: int
    right_sign: float
    significant: float


@dataclass(frozen=True, repr=False)
class Power(TabularResult):
    """How often two metrics are told apart by how many images; b less a is what is looked for.

    `least` is the number of images for which it is 80% of draws; None beyond the last row, or
    where there is no difference.
    """

    benchmark: str
    statistic: str
    a: str
    b: str
    difference: float
    images: int  # that there are
    rows: tuple[PowerRow, ...]
    least: int | None
    draws: int
    seed: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        table: dict[str, Any] = nan_to_none(
            {**vars(self), "rows": [vars(row) for row in self.rows]}
        )
        return table

    def as_tables(self) -> list[OutputTable]:
        """One row a number of images."""
        rows = [
            [
                f"{row.images:,}",
                f"{row.judgements:,}",
                *_format_shares(row.right_sign, row.significant),
            ]
            for row in self.rows
        ]
        return [OutputTable(["images", "judgements", "right sign", "significant"], rows)]

    def notes_above(self) -> list[str]:
        """What is looked for."""
        what = f"{self.b} - {self.a} {self.difference:+.4f} ({self.statistic})"
        return [f"{self.benchmark}: {what}, {self.images:,} images"]

    def notes_below(self) -> list[str]:
        """How many images it takes, and what all numbers depend on."""
        if self.least is None:
            most = self.rows[-1].images
            least = f"{ENOUGH_POWER:.0%} are not reached with {most:,} images"
        elif self.least <= MIN_IMAGES:
            least = f"{ENOUGH_POWER:.0%} are reached with {MIN_IMAGES} images or fewer"
        else:
            least = f"{ENOUGH_POWER:.0%} are reached with {self.least:,} images"
        lines = [f"{least}; {self.draws:,} draws of each number, p < {ALPHA}"]
        if self.rows[-1].images > self.images:
            lines.append(f"more than {self.images:,} images are these, drawn several times")
        return [*lines, self.signature]

    def brief(self) -> list[str]:
        """What is looked for, and how many images it takes."""
        return [*self.notes_above(), *self.notes_below()[:-1]]

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
    judgements, scores = evaluation.judgements, orient_all_scores(evaluation.scores)
    if evaluation.is_mean or judgements is None:
        raise InputError(f"{evaluation.benchmark}: a mean over parts cannot be tested for a pair")
    if agreements.resamples < 2:
        raise InputError(
            "the number of images needed is found by resampling: resamples must be above 0"
        )
    row_a, row_b, statistic = agreements[a], agreements[b], agreements.statistic
    difference = row_b.values[statistic] - row_a.values[statistic]
    (over_a, n_images), (over_b, _) = (
        _statistic_over_draws(evaluation, scores[name]) for name in (a, b)
    )
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
        PowerRow(size, round(size * row_a.n / n_images), *_detection_rates(drawn, difference))
        for size, drawn in zip(sizes, differences, strict=True)
    )
    without_larger = [row for row in rows if row.images <= n_images]
    if without_larger[-1].significant >= ENOUGH_POWER:  # no need for more images than there are
        rows = tuple(without_larger)
    return Power(
        evaluation.benchmark,
        evaluation.statistic,
        a,
        b,
        difference,
        n_images,
        rows,
        _images_needed(rows),
        agreements.resamples,
        agreements.seed,
        evaluation.signature,
    )


def _sizes(n_images: int) -> list[int]:
    """10, 20, 50, 100 and so on, all that there are, and some more."""
    series = (first * 10**zeros for zeros in range(1, 9) for first in (1, 2, 5))
    return [
        *(size for size in series if size < n_images),
        n_images,
        *(times * n_images for times in LARGER_SIZES),
    ]


def _statistic_over_draws(evaluation: Evaluation, scores: FloatArray) -> tuple[OverDraws, int]:
    """What gives a metric's statistic by how often images are drawn, and how many there are."""
    judgements, protocol = evaluation.judgements, evaluation.protocol
    if isinstance(judgements, Preferences):
        groups, earned = (
            PairGroups.of(judgements, protocol),
            pair_credits(scores, judgements, protocol),
        )
        return lambda draws: groups.accuracies(earned, draws)[groups.headline], groups.n_images
    assert judgements is not None
    votes = votes_of(judgements, protocol.raters)
    if protocol.statistic in PAIRWISE:
        votes = votes.one_per_caption()
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
    over: OverDraws, sizes: Sequence[int], n_images: int, resamples: int, seed: int
) -> list[FloatArray]:
    """The difference over draws of each size; all sizes at once where memory allows it."""
    rng = np.random.default_rng(seed)
    chances = np.full(n_images, 1 / n_images)

    def drawn(size: int) -> IntArray:
        draws = np.empty((resamples, n_images), dtype=np.uint32)
        for row in draws:
            row[:] = rng.multinomial(size, chances)
        return draws

    if resamples * n_images * len(sizes) <= MAX_NUMBERS_AT_ONCE:
        return np.split(over(np.concatenate([drawn(size) for size in sizes])), len(sizes))
    return [over(drawn(size)) for size in sizes]


def _detection_rates(drawn: FloatArray, difference: float) -> tuple[float, float]:
    """How often draws have the difference's sign, and how often they are significant with it."""
    known = drawn[np.isfinite(drawn)]
    # A draw that tells nothing tells no metrics apart.
    if math.isnan(difference) or difference == 0 or len(known) < 2:
        return math.nan, math.nan
    towards = known * math.copysign(1, difference)
    far = _normal_quantile(1 - ALPHA / 2) * float(known.std(ddof=1))
    right, significant = (towards > 0).sum(), ((towards > 0) & (towards > far)).sum()
    return float(right / len(drawn)), float(significant / len(drawn))


def _images_needed(rows: Sequence[PowerRow]) -> int | None:
    """The number of images with enough power, between rows by the normal distribution.

    What lies so many standard deviations beyond significance grows with the root of the images.
    """
    if rows[0].significant >= ENOUGH_POWER:
        return rows[0].images
    for before, after in pairwise(rows):
        if after.significant >= ENOUGH_POWER > before.significant:
            low, high = (_standard_deviations(row.significant) for row in (before, after))
            share = (_standard_deviations(ENOUGH_POWER) - low) / (high - low)
            start, end = math.sqrt(before.images), math.sqrt(after.images)
            return math.ceil((start + share * (end - start)) ** 2 - 1e-9)
    return None


def _standard_deviations(share: float) -> float:
    return _normal_quantile(min(max(share, 0.001), 0.999))


def _format_shares(*shares: float) -> list[str]:
    return ["-" if math.isnan(share) else f"{share:.1%}" for share in shares]


def _normal_quantile(probability: float) -> float:
    from statistics import NormalDist  # imports fractions and decimals, too

    return NormalDist().inv_cdf(probability)
