"""Findings of a check: what is wrong with captions, how severely, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from captious.errors import escape_control_chars, format_count
from captious.io.output_tables import OutputTable, TabularResult

# Worst first. Grave: scores are misleading. Notable: scores would differ without it. Minor: good to
# know.
GRAVE, NOTABLE, MINOR = SEVERITIES = ("grave", "notable", "minor")
NEVER = 1.1  # a share that no finding reaches
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
    """Format a share as a percentage; only exactly 0 and 1 are shown as 0% and 100%."""
    if 0 < share < 0.001:
        return "less than 0.1%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    return f"{100 * share:.{0 if share in (0, 1) else 1}f}%"


WIDTH = 100
INDENT = " " * 9
NO_FINDINGS = "nothing found"


def render(facts: Mapping[str, float], found: Sequence[Finding], format: str) -> str:
    """Render all findings as text, Markdown or LaTeX."""
    if format == "text":
        parts = [
            "\n".join(_wrap(facts_line(facts), "")),
            *(_paragraph(finding) for finding in found),
        ]
        return "\n\n".join(parts if found else [*parts, NO_FINDINGS])
    line, table = facts_line(facts), findings_table(found).render(format)
    return f"{table}\n% {line}" if format == "latex" else f"{line}\n\n{table}"


def findings_table(found: Sequence[Finding]) -> OutputTable:
    """One row a finding."""
    header = ("severity", "finding", "share", "what", "what to do", "examples")
    rows = [
        (
            finding.severity,
            finding.name,
            _share(finding),
            finding.what,
            finding.advice,
            "; ".join(_example(example) for example in finding.examples),
        )
        for finding in found
    ]
    return OutputTable(header, rows, len(header))


def facts_line(facts: Mapping[str, float]) -> str:
    """Summarize the captions: counts, lengths, CIDEr-D's length penalty, distinct captions."""
    if not facts.get("samples"):
        return "no samples: no candidate has references"
    return (
        f"{format_count(int(facts['samples']), 'sample')}, "
        f"{format_count(int(facts['references']), 'reference')}; "
        f"{facts['words']:.1f} words per candidate, {facts['reference_words']:.1f} per reference; "
        f"CIDEr-D keeps {format_percent(facts['kept'])} after its length penalty; "
        f"{format_percent(facts['distinct'])} of the candidates are distinct"
    )


def _share(finding: Finding) -> str:
    return (
        f"{finding.count:,} of {finding.total:,} {finding.unit} ({format_percent(finding.share)})"
    )


def _example(example: Example) -> str:
    return f"{example.id}: {example.text}"


def _paragraph(finding: Finding) -> str:
    """A finding with advice and examples, indented."""
    lines = [
        f"{finding.severity:8} {finding.name}: {_share(finding)}",
        *_wrap(finding.what),
        *_wrap(f"What to do: {finding.advice}."),
        *(
            f"{INDENT}e.g. {escape_control_chars(_example(example))}"
            for example in finding.examples
        ),
    ]
    return "\n".join(lines)


def _wrap(text: str, indent: str = INDENT) -> list[str]:
    """Wrap text without separating a number from its per cent sign."""
    import textwrap  # scoring, which warns of findings, does without

    together = escape_control_chars(text).replace(" %", "\u00a0%")
    lines = textwrap.wrap(
        together, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [line.replace("\u00a0%", " %") for line in lines]


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

    def notes_above(self) -> list[str]:
        """The number of captions and their mean length."""
        return [facts_line(self.facts)]

    def records(self) -> list[dict[str, Any]]:
        """One row a finding."""
        return [finding.to_dict() for finding in self.found]

    def render_tables(self, format: str) -> str:
        """Facts, then every finding with its count, examples and advice."""
        return render(self.facts, self.found, format)

    def brief(self) -> list[str]:
        """How many there are of each severity, and their names."""
        counts = Counter(finding.severity for finding in self.found)
        listed = ", ".join(f"{counts[each]} {each}" for each in SEVERITIES if counts[each])
        names = (finding.name for finding in self.found)
        return [f"{listed}: {', '.join(names)}" if self.found else NO_FINDINGS]
