"""Findings as text: paragraphs for a terminal, tables for Markdown and LaTeX."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from captious.diagnostics.check.finding import Example, Finding, format_percent
from captious.errors import escape_control_chars, format_count
from captious.io.output_tables import OutputTable

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
    line, table = facts_line(facts), findings_table(found).rendered(format)
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
    """Summarise the captions: counts, lengths, CIDEr-D's length penalty, distinct captions."""
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
    together = escape_control_chars(text).replace(" %", "\u00a0%")
    lines = textwrap.wrap(
        together, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [line.replace("\u00a0%", " %") for line in lines]
