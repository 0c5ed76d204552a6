"""Systems over the same images: resampled together, ranked, and told apart pair by pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError, short_repr, warn
from captious.metrics.base import Metric
from captious.result import Result, scores_by_column
from captious.signature import Signature
from captious.stats.bootstrap import (
    RESAMPLES,
    ROUNDING_TOLERANCE,
    count_as_extreme,
    p_value_from_count,
    randomization_sums,
    sum_by_image,
)
from captious.stats.intervals import Estimate, Interval, ResampledSums
from captious.text.languages import ENGLISH

LEVEL = 0.05  # of significance
RANDOMISATION_STEP = 1000  # a chosen number of randomisations is a multiple of it


@dataclass(frozen=True)
class Difference:
    """One column's corpus scores for two systems, and the uncertainty of their difference.

    `p_bootstrap` and `p_randomisation` are two-sided: how often resampled images, or images whose
    two captions are exchanged at random, give a difference at least this far from none.
    """

    metric: str
    a: float
    b: float
    difference: float
    interval: Interval
    p_bootstrap: float
    p_randomisation: float


@dataclass(frozen=True, eq=False)
class PairedSystems:
    """Systems over the same images; `statistics` has a row an image, all systems side by side.

    The same images are drawn, and the same coins are thrown, for all systems at once: images as
    often as `resamples` says, coins as often as `rounds` says together. After each round the test
    goes on for the pairs alone that may differ significantly in some column.
    """

    names: tuple[str, ...]
    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    statistics: FloatArray
    resamples: int
    rounds: tuple[int, ...]
    seed: int

    @classmethod
    def of(
        cls, results: Mapping[str, Result], resamples: int, rounds: tuple[int, ...], seed: int
    ) -> PairedSystems:
        """The columns that all results have, over images that must be the same."""
        names = tuple(results)
        columns = _common_columns(results)
        for name in names[1:]:
            _check_same_images(results, names[0], name)
        metrics = _common_metrics(results, columns)
        for name in names[1:]:
            _warn_of_other_settings(results, names[0], name, metrics)
        rows = [sum_by_image(each.ids, each.stacked(metrics)) for each in results.values()]
        return cls(names, metrics, columns, np.hstack(rows), resamples, rounds, seed)

    @property
    def n(self) -> int:
        """The number of images."""
        return len(self.statistics)

    def estimate(self, system: int, column: str) -> Estimate:
        """A system's score, as it is and in each resample."""
        return self._resampled[_column_key(system, column)]

    def differences(self, a: int, b: int, method: str) -> tuple[Difference, ...]:
        """How much better the second of two systems is, column by column."""
        return tuple(self._difference(a, b, name, method) for name in self.columns)

    def _difference(self, a: int, b: int, column: str, method: str) -> Difference:
        first, second = self.estimate(a, column), self.estimate(b, column)
        difference = second - first
        return Difference(
            column,
            first.observed,
            second.observed,
            difference.observed,
            difference.interval(method=method),
            difference.p_value(),
            self._p_randomisation[a, b][column],
        )

    @cached_property
    def _resampled(self) -> ResampledSums:
        return ResampledSums(self.statistics, self._all_scores, self.resamples, self.seed)

    def _all_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Every system's scores, from the statistics of all side by side."""
        return {
            _column_key(system, column): scores
            for system, part in enumerate(np.split(sums, len(self.names), axis=-1))
            for column, scores in scores_by_column(self.metrics, part).items()
        }

    @cached_property
    def _p_randomisation(self) -> dict[tuple[int, int], dict[str, float]]:
        """The p-values of each pair of systems, from captions exchanged at random."""
        pairs = list(combinations(range(len(self.names)), 2))
        counts = {pair: dict.fromkeys(self.columns, 0) for pair in pairs}
        p_values: dict[tuple[int, int], dict[str, float]] = {}
        rng = np.random.default_rng(self.seed)
        for draws, so_far in zip(self.rounds, accumulate(self.rounds), strict=True):
            for pair, by_column in self._count_as_extreme(pairs, draws, rng).items():
                for column, count in by_column.items():
                    counts[pair][column] += count
                p_values[pair] = {
                    column: p_value_from_count(count, so_far)
                    for column, count in counts[pair].items()
                }
            # A correction only raises p-values: what is above the level stays there.
            pairs = [pair for pair in pairs if min(p_values[pair].values()) < LEVEL]
        return p_values

    def _count_as_extreme(
        self, pairs: Sequence[tuple[int, int]], draws: int, rng: np.random.Generator
    ) -> dict[tuple[int, int], dict[str, int]]:
        """How often exchanging captions gives a difference as large, by pair and column."""
        observed = {
            (pair, column): self.estimate(pair[1], column) - self.estimate(pair[0], column)
            for pair in pairs
            for column in self.columns
        }
        scales = {key: difference.rounding_scale() for key, difference in observed.items()}
        counts = {pair: dict.fromkeys(self.columns, 0) for pair in pairs}
        if not pairs:
            return counts
        sums = np.split(self.statistics.sum(axis=0), len(self.names))
        # In blocks, because the many draws of many systems would not fit into memory.
        for block in randomization_sums(self.statistics, draws, rng):
            chosen = np.split(block, len(self.names), axis=1)
            for pair in pairs:
                a, b = pair
                by_chance = self._exchange(sums[a], sums[b], chosen[b] - chosen[a])
                for column in self.columns:
                    key = (pair, column)
                    counts[pair][column] += count_as_extreme(
                        by_chance[column], observed[key].observed, scales[key]
                    )
        return counts

    def _exchange(
        self, first: FloatArray, second: FloatArray, moved: FloatArray
    ) -> dict[str, FloatArray]:
        """Return the differences between two systems whose `moved` statistics change sides."""
        less = scores_by_column(self.metrics, first + moved)
        more = scores_by_column(self.metrics, second - moved)
        return {name: more[name] - less[name] for name in self.columns}


def _column_key(system: int, column: str) -> str:
    return f"{system}:{column}"


def _common_columns(results: Mapping[str, Result]) -> tuple[str, ...]:
    """Return the columns that all have; warn of those that only some have."""
    first, *others = results.values()
    common = set(first.columns).intersection(*(each.columns for each in others))
    columns = tuple(name for name in first.columns if name in common)
    if not columns:
        each = " against ".join(", ".join(result.columns) for result in results.values())
        raise InputError(f"no scores in common: {each}")
    every = dict.fromkeys(name for each in results.values() for name in each.columns)
    for system, result in results.items():
        there = set(result.columns)
        missing = [name for name in every if name not in there]
        if missing:
            warn(f"{system} has no {', '.join(missing)}: left out for all systems")
    return columns


def _common_metrics(results: Mapping[str, Result], columns: Sequence[str]) -> tuple[Metric, ...]:
    """Return the metrics of these columns, which must be of one class for all systems."""
    first, *others = results
    common = set(columns)
    needed = [each for each in results[first].metrics if not common.isdisjoint(each.columns)]
    for name in others:
        kinds = {metric.name: type(metric) for metric in results[name].metrics}
        for metric in needed:
            if kinds.get(metric.name) is not type(metric):
                raise InputError(
                    f"{metric.name}: {first} or {name} has the statistics of its corpus score and "
                    "the other has not; write both with `captious score --output`"
                )
    return tuple(needed)


def _warn_of_other_settings(
    results: Mapping[str, Result], a: str, b: str, metrics: Sequence[Metric]
) -> None:
    """Warn of scores made with different parameters, which differ for that reason alone."""
    settings = [_settings(results[name].signature, metrics) for name in (a, b)]
    for ours, theirs in zip(*settings, strict=False):  # nothing to compare where one has none
        if ours != theirs:
            warn(f"{a} and {b} were scored differently: {ours} against {theirs}; use one setting")


def _settings(text: str, metrics: Sequence[Metric]) -> list[str]:
    """Return what a signature says of captions and metrics; nothing if it cannot be parsed."""
    try:
        signature = Signature.parse(text)
    except InputError:
        return []
    addresses = (signature.metric(metric.name) for metric in metrics)
    return [
        f"tokenizer:{signature.tokenizer}",
        f"language:{signature.language or ENGLISH}",
        *(str(address or "") for address in addresses),
    ]


def _check_same_images(results: Mapping[str, Result], a: str, b: str) -> None:
    ids_a, ids_b = _count_ids(results[a]), _count_ids(results[b])
    if ids_a != ids_b:
        odd = next(image for image in [*ids_a, *ids_b] if ids_a.get(image) != ids_b.get(image))
        one, other = ids_a.get(odd, 0), ids_b.get(odd, 0)
        raise InputError(
            f"id {short_repr(odd)}: {one} sample{'s' * (one != 1)} of {a} and {other} of {b}; "
            "systems "
            "are compared over the same ids, each as often "
            f"({results[a].n} and {results[b].n} samples)"
        )


def _count_ids(result: Result) -> dict[str, int]:
    counts: dict[str, int] = {}
    for image in result.ids:
        counts[str(image)] = counts.get(str(image), 0) + 1
    return counts


RANK_QUANTILES = (0.025, 0.975)  # the middle 95% of ranks


def ranks(scores: FloatArray) -> IntArray:
    """Ranks along the first axis, 1 for the highest; equal scores share one, unknown are last.

    Corpus scores follow from sums, in which addends that come to the same may round differently:
    two are equal if they differ by no more than that, whatever others there are.
    """
    known = np.where(np.isnan(scores), -np.inf, scores)
    finite = np.where(np.isfinite(known), np.abs(known), 0)
    rounding = ROUNDING_TOLERANCE * np.maximum(finite[None, :], finite[:, None])
    higher = known[None, :] > known[:, None] + rounding  # [system, other]
    ranked: IntArray = 1 + np.count_nonzero(np.swapaxes(higher, 0, 1), axis=0)
    return ranked


def rank_intervals(draws: FloatArray) -> list[tuple[int, int]]:
    """Return the ranks between which each system lies in 95% of resamples (columns of its row)."""
    drawn = ranks(draws)
    ends = np.quantile(drawn, RANK_QUANTILES, axis=1, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in ends.T]


def min_randomizations(pairs: int) -> int:
    """Return how many are needed for the smallest corrected p-value to be below the level."""
    return math.ceil(pairs / LEVEL) if pairs > 1 else 1


def enough_randomizations(pairs: int) -> int:
    """Return the usual number, or a round one with which differences can be significant."""
    steps = math.ceil(min_randomizations(pairs) / RANDOMISATION_STEP)
    return max(RESAMPLES, RANDOMISATION_STEP * steps)
