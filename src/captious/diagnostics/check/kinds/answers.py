"""Chat answers: replies of a chat model to its user instead of a caption, or before it."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Finding, format_percent, grade
from captious.text.english import ENGLISH

GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE = 0.25, 0.01, 0.001


def find(evidence: Evidence) -> Finding | None:
    """Find candidates that begin like an answer ("Sure, here is", "I'm sorry")."""
    pattern = ENGLISH.openings.ANSWERS
    is_answer = evidence.matching(pattern)
    count, total = int(is_answer.sum()), len(evidence)
    if count / total < MINOR_SHARE:  # most sets need not look at their references
        return None
    beyond = count / total - evidence.share_of_references(pattern)
    severity = grade(beyond, GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE)
    if severity is None:
        return None
    return Finding(
        "answers",
        severity,
        f"{count:,} of {total:,} candidates ({format_percent(count / total)}) begin like a "
        "reply to a "
        "user, not like a caption",
        "ask the model for the caption only, remove such openings, and check for refusals",
        count,
        total,
        examples=evidence.examples(is_answer),
    )
