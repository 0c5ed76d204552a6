"""How long each metric takes for the captions of a benchmark."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.errors import CaptiousWarning
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.evaluation import judged
from captious.meta.presets import STANDARD
from captious.meta.protocol import Protocol
from captious.meta.scoring import score_judged
from captious.registry import Names, select


@dataclass(frozen=True)
class Timing:
    """One metric by itself, from raw captions to scores, without the cache of analyses."""

    metric: str
    seconds: float
    captions: int


@dataclass(frozen=True, repr=False)
class Timings(TabularResult):
    """The time that each of several metrics takes."""

    benchmark: str
    rows: tuple[Timing, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `--format json` prints it."""
        return {"benchmark": self.benchmark, "rows": [vars(row) for row in self.rows]}

    def as_tables(self) -> list[OutputTable]:
        """One row a metric."""
        rows = [
            [
                row.metric,
                f"{row.captions:,}",
                f"{row.seconds:.3f}",
                f"{1e6 * row.seconds / row.captions:.0f}",
            ]
            for row in self.rows
        ]
        return [OutputTable(["metric", "captions", "seconds", "microseconds each"], rows)]


@check_arguments
def time_metrics(
    benchmark: str,
    metrics: Names = None,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol = STANDARD,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Timings:
    """The seconds that each metric takes, without loading."""
    judgements = judged(benchmark, data=data, protocol=protocol)
    captions = len(judgements) * judgements.each
    taken = []
    for metric in select(metrics, options).metrics:
        if progress is not None:
            progress(metric.name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaptiousWarning)  # one caption is few for CIDEr
            score_judged(judgements.take(np.array([0])), [metric], cache=False)
        start = time.perf_counter()
        score_judged(judgements, [metric], cache=False)
        taken.append(Timing(metric.name, time.perf_counter() - start, captions))
    return Timings(benchmark, tuple(taken))
