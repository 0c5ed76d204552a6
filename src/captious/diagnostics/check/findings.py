"""Findings: all that a look at captions found, gravest first, and a few facts of theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from captious.diagnostics.check.finding import GRAVE, SEVERITIES, Finding
from captious.diagnostics.check.rendering import NOTHING, facts_line, rendered, table_of
from captious.io.output_tables import OutputTable, TabularResult


@dataclass(frozen=True, repr=False)
class Findings(TabularResult):
    """Findings, most severe first; `facts` are numbers of captions, words and the like."""

    found: tuple[Finding, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, name: str) -> Finding:
        """The finding of this name; a KeyError where nothing of the kind was found."""
        for finding in self.found:
            if finding.name == name:
                return finding
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(finding.name == name for finding in self.found)

    @property
    def gravest(self) -> Finding | None:
        """The first of all, or nothing."""
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
        return [table_of(self.found)]

    def above(self) -> list[str]:
        """How many captions of how many words there are."""
        return [facts_line(self.facts)]

    def records(self) -> list[dict[str, Any]]:
        """One row a finding."""
        return [finding.to_dict() for finding in self.found]

    def tabled(self, format: str) -> str:
        """Facts, then every finding with its number, examples and what to do."""
        return rendered(self.facts, self.found, format)

    def brief(self) -> list[str]:
        """How many there are of each severity, and their names."""
        counts = Counter(finding.severity for finding in self.found)
        listed = ", ".join(f"{counts[each]} {each}" for each in SEVERITIES if counts[each])
        names = (finding.name for finding in self.found)
        return [f"{listed}: {', '.join(names)}" if self.found else NOTHING]
