"""Findings as text: paragraphs for a terminal, tables for Markdown and LaTeX."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from captious.diagnostics.check.finding import Example, Finding, percent
from captious.errors import escape_control_chars, format_count
from captious.io.output_tables import OutputTable

WIDTH = 100
INDENT = " " * 9
NOTHING = "nothing found"


def rendered(facts: Mapping[str, float], found: Sequence[Finding], format: str) -> str:
    """All findings in one of the formats that are read by people."""
    if format == "text":
        parts = [
            "\n".join(_wrapped(facts_line(facts), "")),
            *(_paragraph(finding) for finding in found),
        ]
        return "\n\n".join(parts if found else [*parts, NOTHING])
    line, table = facts_line(facts), table_of(found).rendered(format)
    return f"{table}\n% {line}" if format == "latex" else f"{line}\n\n{table}"


def table_of(found: Sequence[Finding]) -> OutputTable:
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
    """How many captions of how many words there are, and what CIDEr-D keeps."""
    if not facts.get("samples"):
        return "no samples: no candidate has references"
    return (
        f"{format_count(int(facts['samples']), 'sample')}, "
        f"{format_count(int(facts['references']), 'reference')}; "
        f"{facts['words']:.1f} words per candidate, {facts['reference_words']:.1f} per reference; "
        f"CIDEr-D keeps {percent(facts['kept'])} after its length penalty; "
        f"{percent(facts['distinct'])} of the candidates are distinct"
    )


def _share(finding: Finding) -> str:
    return f"{finding.count:,} of {finding.total:,} {finding.unit} ({percent(finding.share)})"


def _example(example: Example) -> str:
    return f"{example.id}: {example.text}"


def _paragraph(finding: Finding) -> str:
    """A finding, what to do, and examples, indented."""
    lines = [
        f"{finding.severity:8} {finding.name}: {_share(finding)}",
        *_wrapped(finding.what),
        *_wrapped(f"What to do: {finding.advice}."),
        *(
            f"{INDENT}e.g. {escape_control_chars(_example(example))}"
            for example in finding.examples
        ),
    ]
    return "\n".join(lines)


def _wrapped(text: str, indent: str = INDENT) -> list[str]:
    """Lines of a width in which no number stands apart from its per cent."""
    together = escape_control_chars(text).replace(" %", "\u00a0%")
    lines = textwrap.wrap(
        together, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [line.replace("\u00a0%", " %") for line in lines]
