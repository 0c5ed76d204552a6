"""Consistency rules of statistics, to check those that are read from a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.bounds import Bounds

Violation = tuple[str, int, str]  # which statistic, in which row, and the rule
COUNT_BOUNDS = Bounds(0, 10**9, whole=True, with_most=True)  # of words: no caption has more
ROUNDING = 1e-9


@dataclass(frozen=True)
class StatisticRules:
    """Bounds of each statistic, and which ones are parts of another."""

    bounds: Mapping[str, Bounds]
    parts: tuple[tuple[tuple[str, ...], str], ...] = ()  # of a whole, which they do not exceed

    @classmethod
    def of_counts(cls, names: Iterable[str], *parts: tuple[tuple[str, ...], str]) -> StatisticRules:
        """The rules of statistics that are all counts."""
        return cls(dict.fromkeys(names, COUNT_BOUNDS), parts)

    def violations(self, statistics: Mapping[str, FloatArray]) -> Iterator[Violation]:
        """The first row that breaks a rule, rule by rule."""
        for name, bounds in self.bounds.items():
            yield from _first_violation(
                name, ~_is_within(statistics[name], bounds), f"must be {bounds}"
            )
        for names, whole in self.parts:
            together = np.sum([statistics[name] for name in names], axis=0)
            too_many = together > statistics[whole] + ROUNDING
            parts = " and ".join(("", *names[1:]))
            yield from _first_violation(
                names[0], too_many, f"{parts} cannot exceed {whole}".lstrip()
            )


def _first_violation(name: str, wrong: npt.NDArray[np.bool_], rule: str) -> Iterator[Violation]:
    if wrong.any():
        yield name, int(wrong.argmax()), rule


def _is_within(values: FloatArray, bounds: Bounds) -> npt.NDArray[np.bool_]:
    above = values >= bounds.least if bounds.with_least else values > bounds.least
    below = values <= bounds.most if bounds.with_most else values < bounds.most
    within: npt.NDArray[np.bool_] = above & below
    return within & (values == np.floor(values)) if bounds.whole else within
