"""Empty candidates: no word is left after tokenising."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Example, Finding, format_percent, grade

GRAVE_SHARE, NOTABLE_SHARE = 0.1, 0.0


def find(evidence: Evidence) -> Finding | None:
    """Find candidates of white space or punctuation only, which score 0."""
    is_empty = evidence.samples.candidate_lengths == 0
    count, total = int(is_empty.sum()), len(evidence)
    severity = grade(count / total, GRAVE_SHARE, NOTABLE_SHARE)
    if severity is None:
        return None
    examples = evidence.examples(is_empty)
    return Finding(
        "empty",
        severity,
        f"{count:,} of {total:,} candidates ({format_percent(count / total)}) have no words "
        "and score 0",
        "check whether the captioner stopped immediately, or its output was lost or stripped",
        count,
        total,
        examples=tuple(Example(each.id, each.text or "(nothing)") for each in examples),
    )
