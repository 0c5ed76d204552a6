"""Findings of `captious check` as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Set

from captious.diagnostics.check.findings import Finding
from captious.report.browser.contents import SeriesFinding


def page_findings(series: str, findings: Iterable[Finding], ids: Set[str]) -> list[SeriesFinding]:
    """Convert findings in a series; examples that are words, not ids of rows, are left out."""
    return [
        SeriesFinding(
            series,
            each.severity,
            each.what,
            each.advice,
            [str(example.id) for example in each.examples if str(example.id) in ids],
        )
        for each in findings
    ]
