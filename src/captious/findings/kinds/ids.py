"""Ids that do not meet: candidates that have no references."""

from __future__ import annotations

from captious.findings.evidence import Evidence
from captious.findings.finding import GRAVE, MOST_EXAMPLES, Example, Finding
from captious.shown import shown


def find(evidence: Evidence) -> Finding | None:
    """Candidates whose ids no references have: `captious score` refuses to guess."""
    meeting = evidence.meeting
    absent = meeting.without_references
    if not absent:
        return None
    total = meeting.met + len(absent)
    what = f"{len(absent):,} of {total:,} candidates have no references under their id"
    if meeting.without_candidate:
        what += f" ({shown(absent[0], 60)} here, {shown(meeting.without_candidate[0], 60)} there)"
    advice = "give the references of the same images, or leave these candidates out"
    if meeting.would_meet:
        advice = f"{meeting.would_meet:,} of them would meet {meeting.remedy}; write ids alike"
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
