"""Coverage of 95% intervals, by method, metric and number of images.

The images of two score files, as `captious score --output` writes them, are the population, whose
scores are the truth. Images are drawn from it again and again, intervals are made of each draw, and
those that miss the truth are counted: of a system's score, of the difference between both systems,
and of two systems without a difference, which are the same two with each image's captions exchanged
by a coin.

captious score ours.json theirs.json --references captions.json --output scores
python tools/interval_coverage.py scores/ours.csv scores/theirs.csv --images 30 100 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.comparison.score_files import read_scores
from captious.io.output_tables import render_table
from captious.metrics.base import Metric
from captious.result import Result, scores_by_column
from captious.stats.bootstrap import sum_by_image
from captious.stats.intervals import METHODS, Estimate, ResampledSums

SCORE, DIFFERENCE, NONE = CASES = ("score", "difference", "no difference")


@dataclass(frozen=True, eq=False)
class Population:
    """Two systems' statistics, one row per image, both systems side by side."""

    metrics: tuple[Metric, ...]
    columns: Sequence[str]
    rows: FloatArray

    @classmethod
    def of(cls, first: Result, second: Result, columns: Sequence[str]) -> Population:
        """All images of two results, which must be the same."""
        sides = [sum_by_image(each.ids, each.stacked(first.metrics)) for each in (first, second)]
        return cls(first.metrics, columns, np.hstack(sides))

    def scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Both systems' scores: the first's as `0:...`, the second's as `1:...`."""
        sides = np.split(sums, 2, axis=-1)
        return {
            f"{side}:{column}": scores
            for side, part in enumerate(sides)
            for column, scores in scores_by_column(self.metrics, part).items()
        }

    def true_values(self) -> dict[tuple[str, str], float]:
        """Return the true values that intervals should contain, by case and column."""
        scores = self.scores(self.rows.sum(axis=0))
        true_values: dict[tuple[str, str], float] = {}
        for column in self.columns:
            first, second = (float(scores[f"{side}:{column}"]) for side in (0, 1))
            true_values |= {
                (SCORE, column): first,
                (DIFFERENCE, column): second - first,
                (NONE, column): 0.0,
            }
        return true_values

    def draw(
        self, rng: np.random.Generator, n: int, resamples: int, seed: int
    ) -> Iterator[tuple[str, str, Estimate]]:
        """The estimates from images drawn at random, by case and column."""
        rows = self.rows[rng.integers(len(self.rows), size=n)]
        left, right = np.hsplit(rows, 2)
        exchanged = rng.integers(2, size=n)[:, None] == 1
        exchanged_sides = [
            np.where(exchanged, left_part, right_part)
            for left_part, right_part in ((left, right), (right, left))
        ]
        resampled = partial(
            ResampledSums, statistics_of=self.scores, resamples=resamples, seed=seed
        )
        as_observed, exchanged_sums = resampled(rows), resampled(np.hstack(exchanged_sides))
        for column in self.columns:
            first, second = f"0:{column}", f"1:{column}"
            yield SCORE, column, as_observed[first]
            yield DIFFERENCE, column, as_observed[second] - as_observed[first]
            yield NONE, column, exchanged_sums[second] - exchanged_sums[first]


MissedCounts = Mapping[tuple[str, str, str], FloatArray]


def count_missed(population: Population, n: int, repetitions: int, resamples: int) -> MissedCounts:
    """Count how often the true value is below and above the interval, by case, column, method."""
    rng = np.random.default_rng(n)
    truths = population.true_values()
    missed: dict[tuple[str, str, str], FloatArray] = {}
    for seed in range(repetitions):
        for case, column, estimate in population.draw(rng, n, resamples, seed):
            truth = truths[case, column]
            for method in METHODS:
                low, high = estimate.interval(method=method)
                counts = missed.setdefault((case, column, method), np.zeros(2))
                counts += (truth < low, truth > high)
    return missed


def main() -> None:
    """Draw images, compute intervals, count misses and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scores", nargs=2)
    parser.add_argument("--metrics", nargs="+", default=["bleu_4", "cider_d", "captious"])
    parser.add_argument("--images", type=int, nargs="+", default=[30, 100])
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    first, second = map(read_scores, options.scores)
    population = Population.of(first, second, options.metrics)
    rows = []
    for n in options.images:
        missed = count_missed(population, n, options.repetitions, options.resamples)
        for case in CASES:
            for column in options.metrics:
                cells = []
                for method in METHODS:
                    below, above = 100 * missed[case, column, method] / options.repetitions
                    cells.append(f"{100 - below - above:.1f} ({below:.1f}, {above:.1f})")
                rows.append([case, column, str(n), *cells])
    header = ["interval of a", "metric", "images", *METHODS]
    print(render_table(header, rows, "markdown", 3))


if __name__ == "__main__":
    main()
