"""Verdicts: whether what was measured for an exhibit agrees with its paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from captious.experiments.exhibit import Claim, Exhibit
from captious.experiments.result import Table

ENOUGH = 0.9  # of an exhibit's numbers, to call it reproduced


class Verdict(str, Enum):
    """What there is to say of an exhibit."""

    REPRODUCED = "reproduced"
    DIFFERENT = "different"
    IMPOSSIBLE = "impossible"
    DRAWING = "nothing measured"
    QUICK = "quick run, not judged"
    MISSING = "not run"

    def __str__(self) -> str:  # as that of enum.StrEnum, which Python 3.10 has not
        return self.value


JUDGED = (Verdict.REPRODUCED, Verdict.DIFFERENT)
MEASURED = (*JUDGED, Verdict.QUICK)
IN_WORDS = {
    Verdict.REPRODUCED: f"every claim holds, and {ENOUGH:.0%} of the numbers or more agree",
    Verdict.DIFFERENT: "measured, but too many numbers disagree, or some claim does not hold",
    Verdict.IMPOSSIBLE: "its data are not available: published numbers only",
    Verdict.DRAWING: "a drawing or an example",
    Verdict.QUICK: "few captions and epochs, to check that everything works",
    Verdict.MISSING: "files, captioners or PyTorch are missing on this machine",
}


@dataclass(frozen=True)
class Judged:
    """A verdict, and what it rests on."""

    verdict: Verdict
    agreeing: int = 0
    compared: int = 0
    claims: tuple[tuple[Claim, bool | None], ...] = ()

    def describe(self, tolerance: float) -> str:
        """The counts in words."""
        counts = []
        if self.compared:
            counts.append(
                f"{self.agreeing} of {self.compared} numbers agree (the published number is "
                f"within {tolerance:g}, or in the interval)"
            )
        if self.claims:
            held = sum(holds is True for _, holds in self.claims)
            counts.append(f"{held} of {len(self.claims)} claims hold")
        return "; ".join(counts)


def judged(exhibit: Exhibit, tables: Sequence[Table], *, quick: bool) -> Judged:
    """The verdict on what was measured."""
    measurements = [number for table in tables for number in table.measurements]
    agreeing = sum(number.agrees(exhibit.tolerance) for number in measurements)
    claims = tuple((claim, claim.holds(tables)) for claim in exhibit.claims)
    enough = agreeing >= ENOUGH * len(measurements)
    held = all(holds is not False for _, holds in claims)
    verdict = Verdict.REPRODUCED if enough and held else Verdict.DIFFERENT
    return Judged(Verdict.QUICK if quick else verdict, agreeing, len(measurements), claims)
