"""A finding: something about captions that moves their scores, as data."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Worst first. Grave: scores do not say what they seem to say. Notable: they would be others without
# it. Minor: good to know.
GRAVE, NOTABLE, MINOR = SEVERITIES = ("grave", "notable", "minor")
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 100  # characters of a caption


class Example(NamedTuple):
    """A caption by which a finding can be seen, with its id; or a word, and how often it occurs."""

    id: Hashable
    text: str


@dataclass(frozen=True)
class Finding:
    """What was found, in how many of how many, how grave it is, and what to do."""

    name: str
    severity: str
    what: str
    advice: str
    count: int
    total: int
    unit: str = "candidates"  # what is counted
    figures: Mapping[str, float] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()

    @property
    def share(self) -> float:
        """The part of all that it concerns."""
        return self.count / self.total if self.total else 0.0

    @property
    def line(self) -> str:
        """The finding and what to do in one line, as warnings say it."""
        return f"{self.what}; {self.advice}"

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "finding": self.name,
            "severity": self.severity,
            "what": self.what,
            "advice": self.advice,
            "count": self.count,
            "total": self.total,
            "unit": self.unit,
            "share": self.share,
            "figures": dict(self.figures),
            "examples": [{"id": str(each.id), "text": each.text} for each in self.examples],
        }


def graded(share: float, grave: float, notable: float, minor: float = 0.0) -> str | None:
    """The severity of what concerns this share, or nothing where it is less than any."""
    for severity, least in zip(SEVERITIES, (grave, notable, minor), strict=True):
        if share >= least and share > 0:
            return severity
    return None


def percent(share: float) -> str:
    """A share as a sentence has it; what is not quite nothing or all does not look so."""
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    return f"{100 * share:.{0 if share in (0, 1) else 1}f} %"
