"""A user's own function as a metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.metrics.base import Metric, averaged
from captious.samples import Samples
from captious.shown import shown

Judge = Callable[[str, Sequence[str]], float]


class FunctionMetric(Metric):
    """Any function of a candidate and its references; its corpus score is the mean."""

    bounds = (-math.inf, math.inf)

    def __init__(self, function: Judge, name: str | None = None) -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__).strip("<>")
        self.columns = (self.name,)
        self.description = (getattr(function, "__doc__", None) or "a function").splitlines()[0]

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """A function has no parameters that we know of."""
        return ()

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The function's answer for each sample, asked once for equal samples."""
        candidates, references = samples.candidates.captions, samples.references.analysis.captions
        rows = samples.pairs.values.tolist()
        known: dict[tuple[int, ...], float] = {}
        scores = np.empty(len(samples))
        bounds = pairwise(samples.pairs.offsets.tolist())
        for sample, (row, (start, end)) in enumerate(
            zip(samples.rows.tolist(), bounds, strict=True)
        ):
            key = (row, *rows[start:end])
            if key not in known:
                beside = [references[place] for place in rows[start:end]]
                known[key] = self._ask(candidates[row], beside)
            scores[sample] = known[key]
        return averaged(scores)

    def _ask(self, candidate: str, references: list[str]) -> float:
        answer: Any = self.function(candidate, references)
        try:
            score = float(answer)
        except (TypeError, ValueError, OverflowError):
            score = math.nan
        if not math.isfinite(score):
            raise InputError(
                f"{self.name}: gave {shown(answer)} for {candidate[:60]!r}; a metric gives a "
                "finite number for every candidate"
            )
        return score
