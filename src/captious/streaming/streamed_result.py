"""What scoring a stream gave: corpus scores and intervals from sums alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, short_repr
from captious.metrics.base import Metric
from captious.result import CorpusScores, scores_by_column
from captious.stats.intervals import LEVEL, Estimate, Interval
from captious.streaming.sums import StreamSums


@dataclass(frozen=True, eq=False, repr=False)
class StreamedResult(CorpusScores):
    """Corpus scores of a stream, whose samples' scores are wherever they were written."""

    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    sums: StreamSums
    signature: str

    @property
    def n(self) -> int:
        """The number of samples."""
        return self.sums.samples

    @cached_property
    def corpus(self) -> dict[str, float]:
        """Each column's score for the whole stream."""
        scores = scores_by_column(self.metrics, self.sums.observed.to_floats())
        return {name: float(scores[name]) for name in self.columns}

    @cached_property
    def _resampled(self) -> dict[str, FloatArray]:
        # A resample may have drawn no image at all: it tells nothing.
        with np.errstate(divide="ignore", invalid="ignore"):
            return scores_by_column(self.metrics, self.sums.resampled.to_floats())

    def interval(self, name: str, level: float = LEVEL) -> Interval:
        """A bootstrap confidence interval for a corpus score, by percentiles."""
        if name not in self.columns:
            raise InputError(
                f"no scores named {short_repr(name)}; there are: {', '.join(self.columns)}"
            )
        return Estimate(name, self.corpus[name], self._resampled[name]).interval(level)
