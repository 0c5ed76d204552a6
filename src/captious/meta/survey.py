"""Survey: metrics put through every benchmark whose files are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.catalogue import Names
from captious.checked import checked
from captious.errors import InputError
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.presets import PRESETS, STANDARD
from captious.meta.task import CUSTOM, read_task, split_options
from captious.shown import shown


@dataclass(frozen=True, eq=False)
class Survey:
    """The evaluations by benchmark, and why others could not be made."""

    evaluations: dict[str, Evaluation]
    absent: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {
            "evaluations": [evaluation.to_dict() for evaluation in self.evaluations.values()],
            "absent": self.absent,
        }

    def to_text(self, format: str = "text") -> str:
        """A table in any of the formats of `captious.report`."""
        from captious.report.survey import render_survey

        return render_survey(self, format)

    def __str__(self) -> str:
        return self.to_text()


@checked
def survey(
    metrics: Names = None,
    *,
    data: str | Path,
    protocol: str = STANDARD,
    started: Callable[[str], None] | None = None,
    **options: Any,
) -> Survey:
    """Put metrics through all benchmarks under one folder that the protocol speaks of."""
    if protocol not in PRESETS:
        raise InputError(f"no protocol {shown(protocol)}; there are: {', '.join(PRESETS)}")
    evaluations: dict[str, Evaluation] = {}
    absent: dict[str, str] = {}
    for name in PRESETS[protocol]:
        if name == CUSTOM:
            continue
        own, others = split_options(name, options)
        try:
            task = read_task(name, data=data, protocol=protocol, **own)
        except InputError as error:
            absent[name] = str(error)
            continue
        if started is not None:
            started(name)
        evaluations[name] = evaluate(task, metrics, **others)
    if not evaluations:
        raise InputError(f"{data}: no benchmark's files are there; {next(iter(absent.values()))}")
    return Survey(evaluations, absent)
