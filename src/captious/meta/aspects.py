"""Aspects: metrics beside several ratings of the same captions, such as fluency and relevance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.agreement import shown_share
from captious.meta.benchmarks.custom import read_aspects
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.evaluation_table import NAMES, interval
from captious.meta.presets import STANDARD
from captious.meta.protocol import Protocol
from captious.meta.task import read_task
from captious.registry import Names


@dataclass(frozen=True, eq=False, repr=False)
class Aspects(TabularResult):
    """One evaluation for each aspect, of the same scores."""

    evaluations: dict[str, Evaluation]

    @property
    def first(self) -> Evaluation:
        """The first aspect's evaluation."""
        return next(iter(self.evaluations.values()))

    def to_dict(self) -> dict[str, Any]:
        """All evaluations, as `--format json` prints them."""
        return {
            "benchmark": self.first.benchmark,
            "aspects": {name: each.to_dict() for name, each in self.evaluations.items()},
        }

    def as_tables(self) -> list[OutputTable]:
        """One row a metric, the best of the first aspect first; one column an aspect."""
        statistic = self.first.agreements.statistic
        rows = []
        for best in self.first.agreements.best_first():
            rows.append([best.metric])
            for evaluation in self.evaluations.values():
                row = evaluation.agreements[best.metric]
                ends = interval(row, statistic)
                value = shown_share(row.values[statistic])
                letters = evaluation.letters.get(row.metric, "")
                rows[-1].append(" ".join(filter(None, (value, f"({ends})", letters))))
        return [OutputTable([NAMES.get(statistic, statistic), *self.evaluations], rows)]

    def above(self) -> list[str]:
        """How many ratings each aspect has, and the protocol."""
        counts = ", ".join(
            f"{name} {each.agreements.rows[0].n:,}" for name, each in self.evaluations.items()
        )
        return [f"{self.first.benchmark}: ratings of {counts}", self.first.protocol.describe()]

    def below(self) -> list[str]:
        """What letters mean, and what scores depend on."""
        first = self.first
        lines = ["in brackets: 95 % intervals"]
        if first.letters:
            lines.append("metrics that share a letter in a column cannot be told apart there")
        return [*lines, first.signature]

    def brief(self) -> list[str]:
        """The aspects, each with its best metric."""
        best = (
            f"{name}: {each.agreements.best_first()[0].metric}"
            for name, each in self.evaluations.items()
        )
        return [self.first.benchmark, *best]

    def records(self) -> list[dict[str, Any]]:
        """One row an aspect and metric."""
        return [
            {"aspect": name, **row}
            for name, evaluation in self.evaluations.items()
            for row in evaluation.records()
        ]


@check_arguments
def evaluate_aspects(
    data: str | Path,
    aspects: Sequence[str],
    metrics: Names = None,
    *,
    protocol: str | Protocol = STANDARD,
    own_scores: Sequence[str] = (),
    **options: Any,
) -> Aspects:
    """Put metrics beside several columns of ratings in a file of one's own; scores are made once.

    A caption may lack some aspects' ratings. `options` are those of `evaluate`.
    """
    if not aspects:
        raise InputError("no aspects: name at least one column of ratings")
    evaluations: dict[str, Evaluation] = {}
    for name, ratings in read_aspects(data, aspects, own_scores).items():
        task = read_task(ratings, protocol=protocol)
        if not evaluations:
            evaluations[name] = evaluate(task, metrics, **options)
            continue
        first = next(iter(evaluations.values()))
        drawn = first.agreements
        again = evaluate(task, scores=first.scores, resamples=drawn.resamples, seed=drawn.seed)
        evaluations[name] = replace(again, signature=first.signature)
    return Aspects(evaluations)
