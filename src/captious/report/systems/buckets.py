"""Each system's scores in each bucket of rows, with intervals from one bootstrap of images.

A bucket's score is computed from the sum of its rows' statistics, so that corpus scores such as
BLEU are right in a part of the corpus, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.progress import track
from captious.metrics.base import Metric
from captious.report.browser.contents import Bucket, Bucketing, IntervalEstimate
from captious.report.systems.row_groupings import MIN_ROWS, Grouping
from captious.result import scores_by_column
from captious.stats.bootstrap import bootstrap_counts, exact_sum
from captious.stats.intervals import Estimate

PROGRESS_LABEL = "kinds of captions"  # in progress messages
UNKNOWN = IntervalEstimate(math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class SystemStatistics:
    """Each system's statistics, those of all metrics side by side."""

    metrics: Sequence[Metric]
    columns: Sequence[str]
    statistics: Sequence[FloatArray]  # one row a sample
    images: IntArray  # the number of each sample's image

    def scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """One system's scores from sums of its statistics."""
        with np.errstate(invalid="ignore", divide="ignore"):  # of draws without a row
            scores = scores_by_column(self.metrics, sums)
        return {column: scores[column] for column in self.columns}


def score_buckets(
    statistics: SystemStatistics, kinds: Sequence[Grouping], resamples: int, seed: int
) -> list[Bucketing]:
    """Return each grouping of rows with every system's scores in each of its buckets."""
    parts = [_make_parts(statistics, each) for each in kinds]
    count = int(statistics.images.max(initial=-1)) + 1
    for block in track(PROGRESS_LABEL, bootstrap_counts(count, resamples, seed), len, resamples):
        drawn = np.ascontiguousarray(block.T)  # taking an image's draws copies them as they lie
        for some in parts:
            for part in some:
                part.draw(statistics, drawn)
    return [
        Bucketing(each.title, _make_buckets(statistics, each, some), each.note)
        for each, some in zip(kinds, parts, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Part:
    """The rows of one bucket, for all systems that have the same rows in it."""

    kind: int
    systems: Sequence[int]
    rows: IntArray
    statistics: FloatArray  # of one system after another, and a one to count by
    draws: list[list[dict[str, FloatArray]]] = field(default_factory=list)  # by system, by block

    def draw(self, statistics: SystemStatistics, drawn: IntArray) -> None:
        """Add resamples: how often each image is drawn in each."""
        sums = drawn[statistics.images[self.rows]].T.astype(np.float64) @ self.statistics
        sums[sums[:, -1] == 0] = math.nan  # drawn without a row of this kind, which tells nothing
        self.draws.append([statistics.scores(some) for some in self._by_system(sums)])

    def estimate(self, statistics: SystemStatistics) -> list[dict[str, IntervalEstimate]]:
        """Each system's scores with their intervals."""
        if len(self.rows) < MIN_ROWS:
            return [dict.fromkeys(statistics.columns, UNKNOWN)] * len(self.systems)
        estimates = []
        for place, sums in enumerate(self._by_system(exact_sum(self.statistics))):
            observed = statistics.scores(sums)
            scores = {}
            for column in statistics.columns:
                draws = np.concatenate([block[place][column] for block in self.draws])
                estimate = Estimate(column, float(observed[column]), draws)
                scores[column] = IntervalEstimate(estimate.observed, *estimate.interval())
            estimates.append(scores)
        return estimates

    def _by_system(self, sums: FloatArray) -> list[FloatArray]:
        return np.split(sums[..., :-1], len(self.systems), axis=-1)


def _make_parts(statistics: SystemStatistics, kinds: Grouping) -> list[_Part]:
    """Return parts by bucket, and by system where captions decide which rows are in it."""
    every = range(len(statistics.statistics))
    together = [every] if kinds.numbers.ndim == 1 else [[system] for system in every]
    parts = []
    for systems, numbers in zip(together, np.atleast_2d(kinds.numbers), strict=True):
        ones = np.ones((len(numbers), 1))
        stacked = np.hstack([*(statistics.statistics[system] for system in systems), ones])
        for kind in range(len(kinds.labels)):
            rows = np.flatnonzero(numbers == kind)
            parts.append(_Part(kind, systems, rows, stacked[rows]))
    return parts


def _make_buckets(
    statistics: SystemStatistics, kinds: Grouping, parts: Sequence[_Part]
) -> list[Bucket]:
    """Return the buckets with enough rows, with scores in the systems' order."""
    buckets = []
    for kind, label in enumerate(kinds.labels):
        of_kind = [part for part in parts if part.kind == kind]
        counts = [len(part.rows) for part in of_kind for _ in part.systems]
        if max(counts) >= MIN_ROWS:
            estimates = [each for part in of_kind for each in part.estimate(statistics)]
            scores = {name: [each[name] for each in estimates] for name in statistics.columns}
            by_series = None if len(of_kind) == 1 else tuple(counts)
            buckets.append(Bucket(label, max(counts), scores, by_series))
    return buckets
