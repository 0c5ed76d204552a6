"""Survey: metrics put through every benchmark whose files are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.evaluation_table import NAMES, beside_published
from captious.meta.presets import PRESETS, STANDARD
from captious.meta.task import CUSTOM, read_task, split_options
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
                cells.append(beside_published(value, evaluation.published(metric)))
            rows.append(cells)
        return [OutputTable(header, rows)]

    def below(self) -> list[str]:
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
