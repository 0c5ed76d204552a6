"""Two metrics against each other on the same judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.io.output_tables import OutputTable, TabularResult, decimals
from captious.meta.agreement import directed
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Ratings
from captious.meta.permutation import permutation
from captious.meta.protocol import PAIRWISE
from captious.meta.significance import PairTest, williams
from captious.stats.intervals import PERCENTILE, Interval


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

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        shown = ("name", "statistic", "difference", "p")
        tests = [{name: getattr(test, name) for name in shown} for test in self.tests]
        table: dict[str, Any] = nan_to_none({**vars(self), "tests": tests})
        return table

    def as_tables(self) -> list[OutputTable]:
        """One row a test."""
        rows = [
            [test.name, test.statistic, f"{test.difference:+.4f}", decimals(test.p)]
            for test in self.tests
        ]
        header = ["test", "statistic", f"{self.b} - {self.a}", "p"]
        return [OutputTable(header, rows, 2)]

    def above(self) -> list[str]:
        """Where, how far each agrees, and the interval of the difference."""
        low, high = self.interval
        values = f"{self.a} {self.value_a:.4f}, {self.b} {self.value_b:.4f}"
        return [f"{self.benchmark}: {values}; difference {low:+.4f} to {high:+.4f} (95 %)"]

    def brief(self) -> list[str]:
        """What stands above the tests, and their p-values."""
        return [*self.above(), *(f"{test.name} p {decimals(test.p)}" for test in self.tests)]

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
    judgements, scores = evaluation.judgements, directed(evaluation.scores)
    if evaluation.is_mean or judgements is None:
        raise InputError(f"{evaluation.benchmark}: a mean over parts cannot be tested for a pair")
    row_a, row_b, statistic = agreements[a], agreements[b], agreements.statistic
    difference = row_b.estimate(statistic) - row_a.estimate(statistic)
    interval = difference.interval(method=method)
    drawn = {"resamples": agreements.resamples, "seed": agreements.seed}
    tests = [PairTest("bootstrap", statistic, difference.observed, difference.p_value())]
    if statistic not in PAIRWISE:  # each metric has an epsilon of its own scale
        tests.append(permutation(scores[a], scores[b], judgements, evaluation.protocol, **drawn))
    if isinstance(judgements, Ratings):
        # The test takes rows as independent: one rating a caption.
        tests.append(williams(scores[a], scores[b], np.nanmean(judgements.ratings, axis=1)))
    values = row_a.values[statistic], row_b.values[statistic]
    return Versus(evaluation.benchmark, a, b, *values, interval, tuple(tests))
