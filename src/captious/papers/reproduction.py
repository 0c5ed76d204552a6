"""Reproductions: what was measured for a paper's exhibits, with verdicts, printed or as a page.

A page is what was measured and what is declared. Verdicts, claims, reasons and notes are declared,
so a page can be written again from the JSON beside it when they change, without measuring anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from captious.errors import InputError
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.io.output_tables import OutputTable as TextTable
from captious.io.output_tables import TabularResult
from captious.papers.exhibit import Exhibit, Paper, Reason
from captious.papers.result import INTERVAL, RANGE, SIGNS, Panel, Table, check_text
from captious.papers.verdicts import JUDGED, MEASURED, VERDICT_MEANINGS, Assessment, Verdict, assess

LEGEND = (
    f"Numbers are ours. {SIGNS[INTERVAL]} is half the width of a 95% bootstrap confidence "
    f"interval (images are resampled unless stated otherwise), {SIGNS[RANGE]} half the range over "
    "seeds or draws. In brackets: the published number, and ours minus the published one."
)
HOLDS = {True: "holds", False: "does not hold", None: "not measured"}


@dataclass(frozen=True)
class ExplainedDifference:
    """A reason, and the numbers that it is said of: which columns, by row."""

    reason: Reason
    differing: dict[str, list[str]]

    @property
    def text(self) -> str:
        """`ROUGE-L (HC); METEOR (HC, MM): The draw is unknown.`"""
        return f"{describe_cells(self.differing)}: {self.reason.text}"

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {"differing": self.differing, "because": self.reason.text}


@dataclass(frozen=True, repr=False)
class Finding(TabularResult):
    """What was measured for one exhibit, and the verdict."""

    exhibit: Exhibit
    assessment: Assessment
    tables: tuple[Table, ...] = ()
    panels: tuple[Panel, ...] = ()
    settings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()  # that measuring made

    @property
    def title(self) -> str:
        """`Table 4: correlation with people`."""
        return f"{self.exhibit.place.label.capitalize()}: {self.exhibit.title}"

    @property
    def verdict(self) -> Verdict:
        """Of the exhibit."""
        return self.assessment.verdict

    @property
    def explanation(self) -> str:
        """Why the verdict is what it is, where that is to be said."""
        reasons = {
            Verdict.DIFFERENT: self.exhibit.reason,
            Verdict.INCOMPARABLE: self.exhibit.reason,
            Verdict.IMPOSSIBLE: self.exhibit.unavailable,
            Verdict.DRAWING: self.exhibit.drawing,
        }
        return reasons.get(self.verdict, "")

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to know besides the numbers."""
        if self.verdict is Verdict.MISSING:
            return self.remarks
        notes = self.exhibit.notes
        texts = (note if isinstance(note, str) else note(self.tables) for note in notes)
        return (*texts, *self.remarks)

    def explain_differences(self, table: Table) -> list[ExplainedDifference]:
        """Why numbers of a table do not agree: the reasons that are declared for them."""
        differing: dict[Reason, dict[str, list[str]]] = {}
        for row, column, number in table.compared_numbers if self.verdict in JUDGED else ():
            if number.agrees(self.exhibit.tolerance):
                continue
            reason = self.exhibit.reason_for(row, column)
            if reason is not None:
                differing.setdefault(reason, {}).setdefault(row, []).append(column)
        return [
            ExplainedDifference(reason, differing[reason])
            for reason in self.exhibit.reasons
            if reason in differing
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        place = self.exhibit.place
        return {
            "place": place.label,
            "title": self.exhibit.title,
            "verdict": str(self.verdict),
            "because": self.explanation,
            "tolerance": self.exhibit.tolerance,
            "agreeing": self.assessment.agreeing,
            "compared": self.assessment.compared,
            "set_aside": self.assessment.set_aside,
            "reasons": [
                explained.to_dict()
                for table in self.tables
                for explained in self.explain_differences(table)
            ],
            "claims": [
                {"claim": claim.text, "holds": holds, "because": claim.reason}
                if holds is False and claim.reason
                else {"claim": claim.text, "holds": holds}
                for claim, holds in self.assessment.claims
            ],
            "settings": list(self.settings),
            "tables": [table.to_dict() for table in self.tables],
            "panels": [panel.to_dict() for panel in self.panels],
            "remarks": list(self.remarks),
            "notes": list(self.notes),
        }

    def as_tables(self) -> list[TextTable]:
        """Every table's cells as they are printed."""
        return [
            TextTable(each.header, each.cells(), each.texts, each.title) for each in self.tables
        ]

    def notes_above(self) -> list[str]:
        """The exhibit and its verdict."""
        return [self.title, str(self.verdict)]

    def brief(self) -> list[str]:
        """The exhibit and its verdict."""
        return [*self.notes_above(), self.assessment.describe(self.exhibit.tolerance)]

    def records(self) -> list[dict[str, Any]]:
        """One row a row of a table."""
        return [
            {"table": table.title, **row}
            for table in self.tables
            for row in table.to_dict()["rows"]
        ]

    def render_tables(self, format: str) -> str:
        """Title, verdict, tables and notes; LaTeX has the tables alone."""
        if format == "latex":
            return "\n\n".join(table.render(format) for table in self.tables)
        return "\n\n".join([self.title, *self.parts(format)])

    def parts(self, format: str) -> list[str]:
        """The paragraphs below the title."""
        strong = "**" if format == "markdown" else ""
        counts = self.assessment.describe(self.exhibit.tolerance)
        verdict_text = f"{strong}{str(self.verdict).capitalize()}{strong}"
        parts = [f"{verdict_text}: {counts}." if counts else f"{verdict_text}."]
        if self.explanation:
            parts.append(self.explanation)
        if self.settings:
            parts.append("\n".join(f"- {line}" for line in self.settings))
        for table in self.tables:
            parts.append(f"{strong}{table.title}{strong}\n\n{table.render(format)}")
            reason_lines = [f"- {explained.text}" for explained in self.explain_differences(table)]
            if reason_lines:
                parts.append("\n".join(["Numbers that differ:", "", *reason_lines]))
        if self.assessment.claims:
            lines = [
                f"- {HOLDS[holds]}: {claim.text}"
                + (f". {claim.reason}" if holds is False and claim.reason else "")
                for claim, holds in self.assessment.claims
            ]
            parts.append("\n".join(["Claims of the paper:", "", *lines]))
        return [*parts, *self.notes]


@dataclass(frozen=True, repr=False)
class Reproduction(TabularResult):
    """What was measured for a paper."""

    paper: Paper
    findings: tuple[Finding, ...]
    command: str

    @property
    def counts(self) -> dict[str, int]:
        """How many exhibits have each verdict."""
        return dict(Counter(str(finding.verdict) for finding in self.findings))

    def replace_findings(self, findings: Iterable[Finding]) -> Reproduction:
        """The same with what was measured anew in its place; what could not be run stays."""
        new = {
            finding.exhibit.place: finding
            for finding in findings
            if finding.verdict is not Verdict.MISSING
        }
        merged = (new.get(finding.exhibit.place, finding) for finding in self.findings)
        return replace(self, findings=tuple(merged))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {
            "paper": self.paper.key,
            "title": self.paper.title,
            "source": self.paper.source,
            "command": self.command,
            "verdicts": self.counts,
            "exhibits": [finding.to_dict() for finding in self.findings],
        }

    def render_tables(self, format: str) -> str:
        """All exhibits, and the verdicts in one table at the end."""
        parts = [finding.render_tables(format) for finding in self.findings]
        if format == "latex":
            return "\n\n".join(part for part in parts if part)
        return "\n\n".join([*self.notes_above(), LEGEND, *parts, self.summary(format)])

    def notes_above(self) -> list[str]:
        """The paper."""
        return [f"{self.paper.title} ({self.paper.source})"]

    def as_tables(self) -> list[TextTable]:
        """A line for each exhibit with its verdict."""
        rows = [
            [
                finding.title,
                str(finding.verdict),
                finding.assessment.describe(finding.exhibit.tolerance),
            ]
            for finding in self.findings
        ]
        return [TextTable(["exhibit", "verdict", "why"], rows, 3)]

    def summary(self, format: str) -> str:
        """The lines with the verdicts, and how many there are of each."""
        (table,) = self.as_tables()
        return f"{table.render(format)}\n\n{describe_counts(self.counts)}"

    def brief(self) -> list[str]:
        """The paper, and how many exhibits have each verdict."""
        return [*self.notes_above(), describe_counts(self.counts)]

    def records(self) -> list[dict[str, Any]]:
        """One row an exhibit."""
        kept = ("place", "title", "verdict", "agreeing", "compared")
        findings = (finding.to_dict() for finding in self.findings)
        return [{name: finding[name] for name in kept} for finding in findings]


def describe_cells(differing: Mapping[str, Sequence[str]]) -> str:
    """`ROUGE-L (HC); METEOR (HC, MM)`: columns by row."""
    return "; ".join(f"{row} ({', '.join(columns)})" for row, columns in differing.items())


def describe_counts(counts: dict[str, int]) -> str:
    """`3 reproduced, 1 different`, in the order of verdicts."""
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if verdict in counts)


def verdict_meanings() -> Sequence[tuple[str, str]]:
    """What each verdict means."""
    return [(str(verdict), words) for verdict, words in VERDICT_MEANINGS.items()]


T = TypeVar("T")


def load_reproduction(path: Path, paper: Paper, exhibits: Sequence[Exhibit]) -> Reproduction:
    """Load what was measured for a paper from the JSON that was written with its page."""
    document = decode_json(read_text(path), str(path))
    try:
        stored_exhibits: tuple[dict[str, Any], ...] = _read_list(document["exhibits"], dict)
        stored = {each["place"]: each for each in stored_exhibits}
        command = check_text(document["command"])
        findings = tuple(
            _read_finding(exhibit, stored[exhibit.place.label]) for exhibit in exhibits
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Damaged, of an older version, or of tables that are declared otherwise by now.
        raise InputError(
            f"{path}: not all that the page of {paper.key} shows can be read from it "
            f"({type(error).__name__}: {error}); measure it again: `captious reproduce "
            f"{paper.key} --data DIR --output {path.parent}`"
        ) from None
    return Reproduction(paper, findings, command)


def _read_finding(exhibit: Exhibit, stored: dict[str, Any]) -> Finding:
    verdict = Verdict(stored["verdict"])
    tables = _read_list(stored["tables"], dict, Table.from_dict)
    measured = verdict in MEASURED
    return Finding(
        exhibit,
        assess(exhibit, tables, quick=verdict is Verdict.QUICK)
        if measured
        else Assessment(verdict),
        tables,
        _read_list(stored["panels"], dict, Panel.from_dict),
        _read_list(stored["settings"], str),
        _read_list(stored["remarks"], str),
    )


def _read_list(
    values: object, kind: type[Any], read: Callable[[Any], T] = lambda value: value
) -> tuple[T, ...]:
    """A list of JSON, each of its values of a kind, and read."""
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise TypeError(f"not a list of {kind.__name__}")
    return tuple(map(read, values))
