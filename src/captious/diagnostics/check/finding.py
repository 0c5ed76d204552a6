"""A finding: a property of captions that distorts their scores, as data."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Worst first. Grave: scores are misleading. Notable: scores would differ without it. Minor: good to
# know.
GRAVE, NOTABLE, MINOR = SEVERITIES = ("grave", "notable", "minor")
MAX_EXAMPLES = 3
MAX_EXAMPLE_CHARS = 100  # characters of a caption


class Example(NamedTuple):
    """An example of a finding: a caption with its id, or a word with its frequency."""

    id: Hashable
    text: str


@dataclass(frozen=True)
class Finding:
    """A problem, how many items it affects, how severe it is, and what to do."""

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
        """The share of all items that are affected."""
        return self.count / self.total if self.total else 0.0

    @property
    def line(self) -> str:
        """The finding and the advice in one line, for warnings."""
        return f"{self.what}; {self.advice}"

    def to_dict(self) -> dict[str, Any]:
        """All fields, as written to JSON."""
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


def grade(share: float, grave: float, notable: float, minor: float = 0.0) -> str | None:
    """Return the severity of a finding with this share, or None below all thresholds."""
    for severity, threshold in zip(SEVERITIES, (grave, notable, minor), strict=True):
        if share >= threshold and share > 0:
            return severity
    return None


def format_percent(share: float) -> str:
    """Format a share as a percentage; only exactly 0 and 1 are shown as 0 % and 100 %."""
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    return f"{100 * share:.{0 if share in (0, 1) else 1}f} %"
