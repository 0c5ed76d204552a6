"""Verdicts: whether what was measured for an exhibit agrees with its paper.

A paper is judged by what it says itself. Only a number of the paper that agrees makes an exhibit
*reproduced*; where claims alone could be tested, they *hold*. A number that the paper's own
definitions or other numbers contradict is shown and set aside: it counts neither for nor against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from captious.papers.exhibit import Claim, Exhibit
from captious.papers.result import Table

MIN_AGREEING_SHARE = 0.9  # of an exhibit's numbers, to call it reproduced


class Verdict(str, Enum):
    """Outcome of reproducing an exhibit."""

    REPRODUCED = "reproduced"
    CLAIMS_HOLD = "claims hold"
    DIFFERENT = "different"
    INCOMPARABLE = "nothing to compare"
    IMPOSSIBLE = "impossible"
    DRAWING = "nothing measured"
    QUICK = "quick run, not judged"
    MISSING = "not run"

    def __str__(self) -> str:  # as that of enum.StrEnum, which Python 3.10 has not
        return self.value


JUDGED = (Verdict.REPRODUCED, Verdict.CLAIMS_HOLD, Verdict.DIFFERENT, Verdict.INCOMPARABLE)
MEASURED = (*JUDGED, Verdict.QUICK)
VERDICT_MEANINGS = {
    Verdict.REPRODUCED: "numbers of the paper were compared with ours, "
    f"{MIN_AGREEING_SHARE:.0%} of them or more agree, and no claim fails",
    Verdict.CLAIMS_HOLD: "no number could be compared; every claim tested holds",
    Verdict.DIFFERENT: "measured, but too many numbers disagree, or some claim does not hold",
    Verdict.INCOMPARABLE: "measured, but no number or claim of the paper is about the same thing",
    Verdict.IMPOSSIBLE: "its data are not available: published numbers only",
    Verdict.DRAWING: "a drawing or an example",
    Verdict.QUICK: "few captions and epochs, to check that everything works",
    Verdict.MISSING: "files, captioners or PyTorch are missing on this machine",
}


@dataclass(frozen=True)
class Assessment:
    """A verdict, and what it rests on."""

    verdict: Verdict
    agreeing: int = 0
    compared: int = 0
    set_aside: int = 0  # numbers that the paper itself contradicts
    claims: tuple[tuple[Claim, bool | None], ...] = ()

    def describe(self, tolerance: float) -> str:
        """The counts in words."""
        counts = []
        if self.compared:
            counts.append(
                f"{self.agreeing} of {self.compared} numbers agree (the published number is "
                f"within {tolerance:g}, or in the interval)"
            )
        if self.set_aside:
            counts.append(f"{self.set_aside} set aside, which the paper itself contradicts")
        if self.claims:
            held = sum(holds is True for _, holds in self.claims)
            counts.append(f"{held} of {len(self.claims)} claims hold")
        return "; ".join(counts)


def assess(exhibit: Exhibit, tables: Sequence[Table], *, quick: bool) -> Assessment:
    """Return the verdict on an exhibit's measurements."""
    agreeing = compared = set_aside = 0
    for row, column, number in (cell for table in tables for cell in table.compared_numbers):
        if number.agrees(exhibit.tolerance):
            agreeing += 1
        elif (reason := exhibit.reason_for(row, column)) is not None and reason.is_slip:
            set_aside += 1
            continue
        compared += 1
    claims = tuple((claim, claim.holds(tables)) for claim in exhibit.claims)
    verdict = Verdict.QUICK if quick else _verdict(agreeing, compared, [held for _, held in claims])
    return Assessment(verdict, agreeing, compared, set_aside, claims)


def _verdict(agreeing: int, compared: int, claims: Sequence[bool | None]) -> Verdict:
    """Return the verdict on counts of numbers, and on claims: true, false or not tested."""
    if False in claims or agreeing < MIN_AGREEING_SHARE * compared:
        return Verdict.DIFFERENT
    if agreeing:
        return Verdict.REPRODUCED
    return Verdict.CLAIMS_HOLD if True in claims else Verdict.INCOMPARABLE
