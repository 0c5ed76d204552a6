"""What a stream is summed up to: statistics over all samples, and over those of each resample.

Sums are exact, so they are the same in whichever order samples come, and sums of parts are added
to those of the whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.io.array_files import WHOLE, ArrayFile, Member
from captious.stats.exact_sums import MAX_DIGITS, ExactSums
from captious.streaming.poisson import draw_counts, image_keys

SAMPLES_PER_BLOCK = 2048  # samples whose draws are made at once: bounds memory, changes no sum
_PARTS = ("observed", "resampled")
SUMS_FILE = ArrayFile(
    "a file of sums",
    "make it again: give the command with another folder",
    (
        Member("samples", WHOLE, (), 0),
        Member("observed_first", WHOLE, (), 0, MAX_DIGITS),
        Member("observed_digits", WHOLE, ("statistics", "digits")),
        Member("resampled_first", WHOLE, (), 0, MAX_DIGITS),
        Member("resampled_digits", WHOLE, ("resamples", "statistics", "digits of resamples")),
    ),
)


@dataclass(frozen=True, eq=False)
class StreamSums:
    """Sums of statistics, of all samples (one a statistic) and of each resample (one row each)."""

    samples: int
    observed: ExactSums
    resampled: ExactSums

    @classmethod
    def of(
        cls, images: Sequence[Hashable], statistics: FloatArray, resamples: int, seed: int
    ) -> StreamSums:
        """The sums over samples with statistics, one row each, of images by their ids."""
        width = statistics.shape[1]
        observed, resampled = ExactSums.zeros(width), ExactSums.zeros(resamples, width)
        for start in range(0, len(images), SAMPLES_PER_BLOCK):
            numbers = ExactSums.of(statistics[start : start + SAMPLES_PER_BLOCK])
            observed += numbers.total()
            if resamples:
                keys = image_keys(images[start : start + SAMPLES_PER_BLOCK], seed)
                drawn = draw_counts(keys, resamples).T.astype(np.float64)
                resampled += numbers.weighted_totals(drawn)
        return cls(len(images), observed, resampled)

    def __add__(self, other: StreamSums) -> StreamSums:
        """Both parts together."""
        return StreamSums(
            self.samples + other.samples,
            self.observed + other.observed,
            self.resampled + other.resampled,
        )

    def save(self, path: str | Path) -> None:
        """Keep them in a file."""
        contents: dict[str, Any] = {"samples": np.array(self.samples)}
        for name in _PARTS:
            sums: ExactSums = getattr(self, name)
            contents |= {f"{name}_first": np.array(sums.first), f"{name}_digits": sums.digits}
        SUMS_FILE.write(path, contents)

    @classmethod
    def load(cls, path: str | Path) -> StreamSums:
        """What `save` wrote."""
        found = SUMS_FILE.read(path)
        observed, resampled = (
            ExactSums(int(found[f"{name}_first"]), found[f"{name}_digits"]) for name in _PARTS
        )
        return cls(int(found["samples"]), observed, resampled)
