"""Whether two systems' corpus scores differ by more than chance, image by image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Draws, Seed
from captious.comparison.paired_systems import Difference, PairedSystems
from captious.errors import InputError
from captious.io.output_tables import FORMATS, OutputTable, TabularResult, format_decimals
from captious.result import Result
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import STUDENT, check_method

A, B = "A", "B"  # two systems without names


@dataclass(frozen=True, repr=False)
class Comparison(TabularResult):
    """Two systems compared on the same images, one row per column of scores."""

    formats_with_notes = FORMATS

    n: int
    rows: tuple[Difference, ...]
    resamples: int
    seed: int
    interval_method: str = STUDENT
    systems: tuple[str, str] = (A, B)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as `--format json` prints it."""
        return {
            "n": self.n,
            "resamples": self.resamples,
            "seed": self.seed,
            "systems": list(self.systems),
            "interval_method": self.interval_method,
            "rows": [{**vars(row), "interval": list(row.interval)} for row in self.rows],
        }

    def as_tables(self) -> list[OutputTable]:
        """Both scores, their difference with its interval, and two p-values."""
        rows = [
            [
                row.metric,
                format_decimals(row.a),
                format_decimals(row.b),
                f"{row.difference:+.4f}",
                f"{row.interval[0]:+.4f} to {row.interval[1]:+.4f}",
                format_decimals(row.p_bootstrap),
                format_decimals(row.p_randomisation),
            ]
            for row in self.rows
        ]
        a, b = self.systems
        tests = ("p bootstrap", "p randomization")
        header = ["metric", a, b, f"{b} - {a}", "95% interval", *tests]
        return [OutputTable(header, rows, folds=True)]

    def notes_below(self) -> list[str]:
        """The number of images, and the resampling."""
        drawn = f"{self.resamples} resamples, seed {self.seed}"
        return [f"{self.n} images, {drawn}, {self.interval_method} intervals"]

    def brief(self) -> list[str]:
        """The differences and their p-values."""
        rows = (
            f"{row.metric} {row.difference:+.4f} (p {format_decimals(row.p_bootstrap)})"
            for row in self.rows
        )
        a, b = self.systems
        return [f"{self.n} images, {b} - {a}", *rows]


@check_arguments
def compare(
    a: Result,
    b: Result,
    *,
    resamples: Draws = RESAMPLES,
    seed: Seed = SEED,
    method: str = STUDENT,
    names: tuple[str, str] = (A, B),
) -> Comparison:
    """Paired bootstrap and paired randomization test on the corpus scores of two results.

    `method` is that of the differences' intervals: `t`, which is measured to cover 95% of
    differences also where images are few, `percentile` or `bca`. `names` are those of the two
    systems.
    """
    check_method(method)
    first, second = _check_names(names)
    systems = PairedSystems.of({first: a, second: b}, resamples, (resamples,), seed)
    return comparison_of(systems, 0, 1, method)


def comparison_of(systems: PairedSystems, a: int, b: int, method: str) -> Comparison:
    """Two of several systems compared."""
    rows = systems.differences(a, b, method)
    names = (systems.names[a], systems.names[b])
    return Comparison(systems.n, rows, systems.resamples, systems.seed, method, names)


def _check_names(names: tuple[str, str]) -> tuple[str, str]:
    both = tuple(names)
    if len(both) != 2 or not all(isinstance(name, str) for name in both) or len(set(both)) < 2:
        raise InputError("names are two texts that differ, one for each system")
    return both[0], both[1]
