"""Findings of `captious check` as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Set

from captious.diagnostics.check.finding import Finding
from captious.report.browser.contents import FoundIn


def shown_findings(series: str, findings: Iterable[Finding], ids: Set[str]) -> list[FoundIn]:
    """What was found in a series; examples that are no rows are words, and left out."""
    return [
        FoundIn(
            series,
            each.severity,
            each.what,
            each.advice,
            [str(example.id) for example in each.examples if str(example.id) in ids],
        )
        for each in findings
    ]
