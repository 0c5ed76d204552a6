"""How agreement grows with the number of references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.agreement import Agreement, shown_share
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.evaluation_table import NAMES, interval
from captious.meta.protocol import Protocol
from captious.meta.task import Source, read_task, split_options
from captious.registry import Names


@dataclass(frozen=True, eq=False, repr=False)
class ByReferences(TabularResult):
    """One evaluation for each number of references and each way to pool over them."""

    counts: tuple[int, ...]
    evaluations: dict[tuple[int, str | None], Evaluation]  # by count and pool

    @property
    def first(self) -> Evaluation:
        """The evaluation with the fewest references."""
        return next(iter(self.evaluations.values()))

    @property
    def curves(self) -> dict[str, list[Agreement]]:
        """For each metric, named with its pool where it has one, its agreement by count."""
        curves: dict[str, list[Agreement]] = {}
        for (_, pool), evaluation in self.evaluations.items():
            for row in evaluation.agreements.rows:
                name = row.metric if pool is None else f"{row.metric} {pool}"
                curves.setdefault(name, []).append(row)
        return curves

    def to_dict(self) -> dict[str, Any]:
        """All evaluations, as `--format json` prints them."""
        return {
            "benchmark": self.first.benchmark,
            "references": list(self.counts),
            "evaluations": [
                {"references": count, "pool": pool, **evaluation.to_dict()}
                for (count, pool), evaluation in self.evaluations.items()
            ],
        }

    def as_tables(self) -> list[OutputTable]:
        """One row a metric, one column a number of references; intervals of the last."""
        first = self.first
        statistic = first.agreements.statistic
        rows = [
            [
                name,
                *(shown_share(row.values[statistic]) for row in curve),
                interval(curve[-1], statistic),
            ]
            for name, curve in self.curves.items()
        ]
        counts = list(map(str, self.counts))
        title = NAMES.get(first.statistic, first.statistic)
        header = [title, *counts, f"95 % interval at {counts[-1]}"]
        return [OutputTable(header, rows)]

    def above(self) -> list[str]:
        """The benchmark and the protocol."""
        return [f"{self.first.benchmark}, by number of references", self.first.protocol.describe()]

    def records(self) -> list[dict[str, Any]]:
        """One row a metric, number of references and pool."""
        return [
            {"references": count, "pool": pool, **row}
            for (count, pool), evaluation in self.evaluations.items()
            for row in evaluation.records()
        ]


@check_arguments
def evaluate_by_references(
    benchmark: Source,
    counts: Sequence[int],
    metrics: Names = None,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol | None = None,
    pools: Sequence[str | None] = (None,),
    **options: Any,
) -> ByReferences:
    """Evaluate metrics on a benchmark with 1, 2, 5... references, sampled at random.

    The samples are nested: two references are the one and another. `pools` may name `max`, `mean`
    and `min`, by which scores against single references are pooled; None is the metric's own way.
    PASCAL-50S has up to 50 references.
    """
    if not counts or any(not isinstance(count, int) or count < 1 for count in counts):
        raise InputError(f"numbers of references are whole numbers from 1 on, not {list(counts)}")
    if benchmark == "pascal-50s":
        options.setdefault("all_references", True)
    of_files, others = split_options(benchmark, options)
    task = read_task(benchmark, data=data, protocol=protocol, **of_files)
    tasks = {
        count: task.under(replace(task.protocol, references=count)) for count in sorted(set(counts))
    }
    evaluations = {
        (count, pool): evaluate(drawn, metrics, pool=pool, **others)
        for pool in pools
        for count, drawn in tasks.items()
    }
    return ByReferences(tuple(tasks), evaluations)
