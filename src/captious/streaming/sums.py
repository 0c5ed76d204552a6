"""Sums of statistics over a stream: over all samples, and over those of each bootstrap resample.

Sums are exact, so they are the same in whichever order samples come, and sums of parts are added
to those of the whole.

A bootstrap draws n of n images, and must know all of them first. In the Poisson bootstrap each
image is drawn once on average, independently of the others, and the draws follow from the seed, the
number of the resample and the image's id: they are the same whatever comes before it, in whichever
process or on whichever machine.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious.io.array_files import WHOLE_NUMBERS, ArrayFile, Member
from captious.stats.exact_sums import MAX_DIGITS, ExactSums

Unsigned = npt.NDArray[np.uint64]

SAMPLES_PER_BLOCK = 2048  # samples whose draws are made at once: bounds memory, changes no sum
_PARTS = ("observed", "resampled")
SUMS_FILE = ArrayFile(
    "a file of sums",
    "make it again: give the command with another folder",
    (
        Member("samples", WHOLE_NUMBERS, (), 0),
        Member("observed_first", WHOLE_NUMBERS, (), 0, MAX_DIGITS),
        Member("observed_digits", WHOLE_NUMBERS, ("statistics", "digits")),
        Member("resampled_first", WHOLE_NUMBERS, (), 0, MAX_DIGITS),
        Member(
            "resampled_digits", WHOLE_NUMBERS, ("resamples", "statistics", "digits of resamples")
        ),
    ),
)


SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64, by Sebastiano Vigna
_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))
DRAWS_PER_NUMBER = 2  # draws that one number of 64 bits gives


def _thresholds() -> list[int]:
    """Of 2 ** 32 equally likely numbers, how many stand for fewer than 1, 2, 3, ... draws."""
    below, share, thresholds = 0.0, math.exp(-1), []
    for count in range(1, 20):
        below += share
        if round(below * 2**32) >= 2**32:
            break
        thresholds.append(round(below * 2**32))
        share /= count
    return thresholds


THRESHOLDS = np.array(_thresholds(), np.uint32)
MAX_DRAWS = len(THRESHOLDS)  # that an image can be drawn


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
                draws = draw_counts(keys, resamples).T.astype(np.float64)
                resampled += numbers.weighted_totals(draws)
        return cls(len(images), observed, resampled)

    def __add__(self, other: StreamSums) -> StreamSums:
        """The sums of both parts together."""
        return StreamSums(
            self.samples + other.samples,
            self.observed + other.observed,
            self.resampled + other.resampled,
        )

    def save(self, path: str | Path) -> None:
        """Write the sums to a file."""
        contents: dict[str, Any] = {"samples": np.array(self.samples)}
        for name in _PARTS:
            sums: ExactSums = getattr(self, name)
            contents |= {f"{name}_first": np.array(sums.first), f"{name}_digits": sums.digits}
        SUMS_FILE.write(path, contents)

    @classmethod
    def load(cls, path: str | Path) -> StreamSums:
        """Read what `save` wrote."""
        contents = SUMS_FILE.read(path)
        observed, resampled = (
            ExactSums(int(contents[f"{name}_first"]), contents[f"{name}_digits"]) for name in _PARTS
        )
        return cls(int(contents["samples"]), observed, resampled)


def image_keys(ids: Sequence[Hashable], seed: int) -> Unsigned:
    """A hash of each image's id and the seed."""
    salt = seed.to_bytes(8, "little")
    digests = (
        hashlib.blake2b(str(image).encode("utf-8", "surrogatepass"), digest_size=8, salt=salt)
        for image in ids
    )
    return np.frombuffer(b"".join(each.digest() for each in digests), "<u8").astype(np.uint64)


def draw_counts(keys: Unsigned, resamples: int) -> npt.NDArray[np.uint8]:
    """How often each image is drawn: one row an image, one column a resample."""
    steps = np.arange(1, (resamples + 1) // DRAWS_PER_NUMBER + 1, dtype=np.uint64) * SPLITMIX_STEP
    mixed = keys[:, None] + steps
    for shift, factor in _MIX:
        mixed ^= mixed >> np.uint64(shift)
        if factor != 1:
            mixed *= np.uint64(factor)
    halves = mixed.astype("<u8", copy=False).view("<u4")[:, :resamples]
    draws = np.zeros(halves.shape, np.uint8)
    for threshold in THRESHOLDS:
        draws += halves >= threshold
    return draws
