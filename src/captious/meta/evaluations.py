"""Several evaluations in one table: by benchmark, by number of references, by aspect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.agreement import Agreement, format_share
from captious.meta.benchmarks.custom import read_aspects
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.evaluation_table import NAMES, format_beside_published, format_interval
from captious.meta.presets import PRESETS, STANDARD
from captious.meta.protocol import Protocol
from captious.meta.references import FIRST, ReferenceChoice
from captious.meta.task import CUSTOM, Source, read_task, split_options
from captious.registry import Names


@dataclass(frozen=True, eq=False, repr=False)
class Survey(TabularResult):
    """The evaluations by benchmark, and why others could not be made."""

    evaluations: dict[str, Evaluation]
    absent: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {
            "evaluations": [evaluation.to_dict() for evaluation in self.evaluations.values()],
            "absent": self.absent,
        }

    def as_tables(self) -> list[OutputTable]:
        """One row a metric, one column a benchmark."""
        metrics = dict.fromkeys(
            row.metric
            for evaluation in self.evaluations.values()
            for row in evaluation.agreements.rows
        )
        header = ["metric"]
        for name, evaluation in self.evaluations.items():
            statistic = evaluation.agreements.statistic
            header.append(f"{name} {NAMES.get(statistic, statistic)}")
        rows = []
        for metric in metrics:
            cells = [metric]
            for evaluation in self.evaluations.values():
                value = evaluation.agreements[metric].values[evaluation.agreements.statistic]
                cells.append(format_beside_published(value, evaluation.published(metric)))
            rows.append(cells)
        return [OutputTable(header, rows)]

    def notes_below(self) -> list[str]:
        """The protocols, and what was left out."""
        lines = ["published figures in brackets; protocols:"]
        lines += [
            f"  {name}: {each.protocol.describe()}" for name, each in self.evaluations.items()
        ]
        lines += [f"left out: {reason}" for reason in self.absent.values()]
        return lines

    def records(self) -> list[dict[str, Any]]:
        """One row a benchmark and metric."""
        return [
            {"benchmark": name, **row}
            for name, evaluation in self.evaluations.items()
            for row in evaluation.records()
        ]


@check_arguments
def survey(
    metrics: Names = None,
    *,
    data: str | Path,
    protocol: str = STANDARD,
    started: Callable[[str], None] | None = None,
    **options: Any,
) -> Survey:
    """Evaluate metrics on all benchmarks of the protocol that are in one folder."""
    if protocol not in PRESETS:
        raise InputError(f"no protocol {short_repr(protocol)}; there are: {', '.join(PRESETS)}")
    evaluations: dict[str, Evaluation] = {}
    absent: dict[str, str] = {}
    for name in PRESETS[protocol]:
        if name == CUSTOM:
            continue
        of_files, others = split_options(name, options)
        try:
            task = read_task(name, data=data, protocol=protocol, **of_files)
        except InputError as error:
            absent[name] = str(error)
            continue
        if started is not None:
            started(name)
        evaluations[name] = evaluate(task, metrics, **others)
    if not evaluations:
        raise InputError(f"{data}: no benchmark's files are there; {next(iter(absent.values()))}")
    return Survey(evaluations, absent)


@dataclass(frozen=True, eq=False, repr=False)
class ByReferences(TabularResult):
    """One evaluation for each number of references and each way to pool over them."""

    counts: tuple[int | str, ...]  # 5 at random, or `first:5`
    evaluations: dict[tuple[int | str, str | None], Evaluation]  # by count and pool

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
                *(format_share(row.values[statistic]) for row in curve),
                format_interval(curve[-1], statistic),
            ]
            for name, curve in self.curves.items()
        ]
        counts = list(map(str, self.counts))
        title = NAMES.get(first.statistic, first.statistic)
        header = [title, *counts, f"95% interval at {counts[-1]}"]
        return [OutputTable(header, rows)]

    def notes_above(self) -> list[str]:
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
    counts: Sequence[int | str],
    metrics: Names = None,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol | None = None,
    pools: Sequence[str | None] = (None,),
    **options: Any,
) -> ByReferences:
    """Evaluate metrics on a benchmark with 1, 2, 5... references, at random or `first:5`.

    The samples are nested: two references are the one and another. `pools` may name `max`, `mean`
    and `min`, by which scores against single references are pooled; None is the metric's own way.
    PASCAL-50S has up to 50 references.
    """
    choices = {ReferenceChoice.parse(count, "numbers of references") for count in counts}
    if not choices:
        raise InputError("numbers of references: none is given; give some, such as 1, 2, first:5")
    if benchmark == "pascal-50s":
        options.setdefault("all_references", True)
    of_files, others = split_options(benchmark, options)
    task = read_task(benchmark, data=data, protocol=protocol, **of_files)
    tasks = {
        choice.value: task.under(replace(task.protocol, references=choice.value))
        for choice in sorted(choices, key=lambda each: (each.order == FIRST, each.number))
    }
    evaluations = {
        (count, pool): evaluate(drawn, metrics, pool=pool, **others)
        for pool in pools
        for count, drawn in tasks.items()
    }
    return ByReferences(tuple(tasks), evaluations)


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
                ends = format_interval(row, statistic)
                value = format_share(row.values[statistic])
                letters = evaluation.letters.get(row.metric, "")
                rows[-1].append(" ".join(filter(None, (value, f"({ends})", letters))))
        return [OutputTable([NAMES.get(statistic, statistic), *self.evaluations], rows)]

    def notes_above(self) -> list[str]:
        """How many ratings each aspect has, and the protocol."""
        counts = ", ".join(
            f"{name} {each.agreements.rows[0].n:,}" for name, each in self.evaluations.items()
        )
        return [f"{self.first.benchmark}: ratings of {counts}", self.first.protocol.describe()]

    def notes_below(self) -> list[str]:
        """What letters mean, and what scores depend on."""
        first = self.first
        lines = ["in brackets: 95% intervals"]
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
