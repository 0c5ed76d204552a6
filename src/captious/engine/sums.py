"""What a stream is summed up to: statistics over all samples, and over those of each resample.

Sums are exact, so they are the same in whichever order samples come, and sums of parts are added
to those of the whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.arrays.exact_sums import ExactSums
from captious.arrays.ragged import FloatArray
from captious.engine.poisson import draws_of, keys_of

BLOCK = 2048  # samples whose draws are made at once: bounds memory, changes no sum
_PARTS = ("observed", "resampled")


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
        for start in range(0, len(images), BLOCK):
            numbers = ExactSums.of(statistics[start : start + BLOCK])
            observed += numbers.total()
            if resamples:
                keys = keys_of(images[start : start + BLOCK], seed)
                drawn = draws_of(keys, resamples).T.astype(np.float64)
                resampled += numbers.weighed(drawn)
        return cls(len(images), observed, resampled)

    def __add__(self, other: StreamSums) -> StreamSums:
        """Both parts together."""
        return StreamSums(
            self.samples + other.samples,
            self.observed + other.observed,
            self.resampled + other.resampled,
        )

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """As arrays that a file can hold."""
        arrays: dict[str, npt.NDArray[Any]] = {"samples": np.array(self.samples)}
        for name in _PARTS:
            sums: ExactSums = getattr(self, name)
            arrays |= {f"{name}_first": np.array(sums.first), f"{name}_digits": sums.digits}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> StreamSums:
        """What `to_arrays` gave."""
        observed, resampled = (
            ExactSums(int(arrays[f"{name}_first"]), arrays[f"{name}_digits"]) for name in _PARTS
        )
        return cls(int(arrays["samples"]), observed, resampled)
