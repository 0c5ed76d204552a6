"""What each system's scores are in each kind of rows, with intervals from one draw of images.

A score in a kind is what the metric makes of the sum of its rows' statistics there, so that scores
of a corpus such as BLEU are right in a part of it, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.progress import track
from captious.metrics.base import Metric
from captious.report.browser.contents import Bucket, Bucketing, Estimated
from captious.report.systems.grouping import LEAST, Kinds
from captious.result import scores_by_column
from captious.stats.bootstrap import blocks_of_draws, exact_sum
from captious.stats.intervals import Estimate

WORK = "kinds of captions"  # as whoever listens to progress hears of it
UNKNOWN = Estimated(math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class Scored:
    """What scores are made of: each system's statistics, those of all metrics side by side."""

    metrics: Sequence[Metric]
    columns: Sequence[str]
    statistics: Sequence[FloatArray]  # one row a sample
    images: IntArray  # the number of each sample's image

    def scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """One system's scores from sums of its statistics."""
        with np.errstate(invalid="ignore", divide="ignore"):  # of draws without a row
            scores = scores_by_column(self.metrics, sums)
        return {column: scores[column] for column in self.columns}


def bucketings(
    scored: Scored, kinds: Sequence[Kinds], resamples: int, seed: int
) -> list[Bucketing]:
    """Each way to sort rows, with every system's scores in each kind."""
    parts = [_parts(scored, each) for each in kinds]
    count = int(scored.images.max(initial=-1)) + 1
    for block in track(WORK, blocks_of_draws(count, resamples, seed), len, resamples):
        drawn = np.ascontiguousarray(block.T)  # taking an image's draws copies them as they lie
        for some in parts:
            for part in some:
                part.draw(scored, drawn)
    return [
        Bucketing(each.title, _buckets(scored, each, some), each.note)
        for each, some in zip(kinds, parts, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Part:
    """The rows of one kind, of all systems that have the same rows there."""

    kind: int
    systems: Sequence[int]
    rows: IntArray
    statistics: FloatArray  # of one system after another, and a one to count by
    draws: list[list[dict[str, FloatArray]]] = field(default_factory=list)  # by system, by block

    def draw(self, scored: Scored, drawn: IntArray) -> None:
        """Take in some draws: how often each image is drawn in each."""
        sums = drawn[scored.images[self.rows]].T.astype(np.float64) @ self.statistics
        sums[sums[:, -1] == 0] = math.nan  # drawn without a row of this kind, which tells nothing
        self.draws.append([scored.scores(some) for some in self._by_system(sums)])

    def estimated(self, scored: Scored) -> list[dict[str, Estimated]]:
        """Each system's scores with their intervals."""
        if len(self.rows) < LEAST:
            return [dict.fromkeys(scored.columns, UNKNOWN)] * len(self.systems)
        estimates = []
        for place, sums in enumerate(self._by_system(exact_sum(self.statistics))):
            observed = scored.scores(sums)
            scores = {}
            for column in scored.columns:
                draws = np.concatenate([block[place][column] for block in self.draws])
                estimate = Estimate(column, float(observed[column]), draws)
                scores[column] = Estimated(estimate.observed, *estimate.interval())
            estimates.append(scores)
        return estimates

    def _by_system(self, sums: FloatArray) -> list[FloatArray]:
        return np.split(sums[..., :-1], len(self.systems), axis=-1)


def _parts(scored: Scored, kinds: Kinds) -> list[_Part]:
    """Kind by kind, and system by system where captions decide which rows are of a kind."""
    every = range(len(scored.statistics))
    together = [every] if kinds.numbers.ndim == 1 else [[system] for system in every]
    parts = []
    for systems, numbers in zip(together, np.atleast_2d(kinds.numbers), strict=True):
        ones = np.ones((len(numbers), 1))
        stacked = np.hstack([*(scored.statistics[system] for system in systems), ones])
        for kind in range(len(kinds.labels)):
            rows = np.flatnonzero(numbers == kind)
            parts.append(_Part(kind, systems, rows, stacked[rows]))
    return parts


def _buckets(scored: Scored, kinds: Kinds, parts: Sequence[_Part]) -> list[Bucket]:
    """The kinds that have rows enough, with the systems' scores in the systems' order."""
    buckets = []
    for kind, label in enumerate(kinds.labels):
        of_kind = [part for part in parts if part.kind == kind]
        counts = [len(part.rows) for part in of_kind for _ in part.systems]
        if max(counts) >= LEAST:
            estimates = [each for part in of_kind for each in part.estimated(scored)]
            scores = {name: [each[name] for each in estimates] for name in scored.columns}
            by_series = None if len(of_kind) == 1 else tuple(counts)
            buckets.append(Bucket(label, max(counts), scores, by_series))
    return buckets
