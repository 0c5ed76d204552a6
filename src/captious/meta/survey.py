"""Survey: metrics put through every benchmark whose files are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.errors import InputError
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.evaluation import CUSTOM, Evaluation, evaluate
from captious.meta.presets import PRESETS, STANDARD
from captious.metrics.registry import Names


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
        raise InputError(f"no protocol {protocol!r}; there are: {', '.join(PRESETS)}")
    evaluations: dict[str, Evaluation] = {}
    absent: dict[str, str] = {}
    for name in PRESETS[protocol]:
        if name == CUSTOM:
            continue
        try:
            # Files that are not there are found out before anything is scored.
            BENCHMARKS[name].load(data)
        except InputError as error:
            absent[name] = str(error)
            continue
        if started is not None:
            started(name)
        evaluations[name] = evaluate(name, metrics, data=data, protocol=protocol, **options)
    if not evaluations:
        raise InputError(f"{data}: no benchmark's files are there; {next(iter(absent.values()))}")
    return Survey(evaluations, absent)
