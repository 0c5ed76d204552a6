"""Findings: the result of a check, most severe first, with summary statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from captious.diagnostics.check.finding import GRAVE, SEVERITIES, Finding
from captious.diagnostics.check.rendering import NO_FINDINGS, facts_line, findings_table, render
from captious.io.output_tables import OutputTable, TabularResult


@dataclass(frozen=True, repr=False)
class Findings(TabularResult):
    """Findings, most severe first; `facts` has counts of captions, words and so on."""

    found: tuple[Finding, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, name: str) -> Finding:
        """The finding of this name; a KeyError if there is none."""
        for finding in self.found:
            if finding.name == name:
                return finding
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(finding.name == name for finding in self.found)

    @property
    def gravest(self) -> Finding | None:
        """The most severe finding, or None."""
        return self.found[0] if self.found else None

    @property
    def grave(self) -> tuple[Finding, ...]:
        """The findings that make scores misleading."""
        return tuple(finding for finding in self.found if finding.severity == GRAVE)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {
            "facts": dict(self.facts),
            "findings": [finding.to_dict() for finding in self.found],
        }

    def as_tables(self) -> list[OutputTable]:
        """One row a finding."""
        return [findings_table(self.found)]

    def above(self) -> list[str]:
        """The number of captions and their mean length."""
        return [facts_line(self.facts)]

    def records(self) -> list[dict[str, Any]]:
        """One row a finding."""
        return [finding.to_dict() for finding in self.found]

    def tabled(self, format: str) -> str:
        """Facts, then every finding with its count, examples and advice."""
        return render(self.facts, self.found, format)

    def brief(self) -> list[str]:
        """How many there are of each severity, and their names."""
        counts = Counter(finding.severity for finding in self.found)
        listed = ", ".join(f"{counts[each]} {each}" for each in SEVERITIES if counts[each])
        names = (finding.name for finding in self.found)
        return [f"{listed}: {', '.join(names)}" if self.found else NO_FINDINGS]
