"""Ids that do not meet: candidates that have no references."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import GRAVE, MOST_EXAMPLES, Example, Finding
from captious.errors import short_repr


def find(evidence: Evidence) -> Finding | None:
    """Candidates whose ids no references have: `captious score` refuses to guess."""
    meeting = evidence.meeting
    absent = meeting.without_references
    if not absent:
        return None
    total = meeting.met + len(absent)
    what = f"{len(absent):,} of {total:,} candidates have no references with their id"
    if meeting.without_candidate:
        there = short_repr(meeting.without_candidate[0], 60)
        what += f" (candidates have {short_repr(absent[0], 60)}, references {there})"
    advice = "provide the references of these images, or remove these candidates"
    if meeting.would_meet:
        advice = f"{meeting.would_meet:,} of them would match {meeting.remedy}; use the same ids"
    return Finding(
        "ids",
        GRAVE,
        what,
        advice,
        len(absent),
        total,
        figures={"met": meeting.met, "would_meet": meeting.would_meet},
        examples=tuple(Example(image, "no references") for image in absent[:MOST_EXAMPLES]),
    )
