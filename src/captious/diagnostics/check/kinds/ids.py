"""Unmatched ids: candidates without references."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import GRAVE, MAX_EXAMPLES, Example, Finding
from captious.errors import short_repr


def find(evidence: Evidence) -> Finding | None:
    """Find candidates whose ids have no references; `captious score` stops at these."""
    id_match = evidence.id_match
    absent = id_match.without_references
    if not absent:
        return None
    total = id_match.n_matched + len(absent)
    what = f"{len(absent):,} of {total:,} candidates have no references with their id"
    if id_match.without_candidates:
        there = short_repr(id_match.without_candidates[0], 60)
        what += f" (candidates have {short_repr(absent[0], 60)}, references {there})"
    advice = "provide the references of these images, or remove these candidates"
    if id_match.n_remedied:
        advice = f"{id_match.n_remedied:,} of them would match {id_match.remedy}; use the same ids"
    return Finding(
        "ids",
        GRAVE,
        what,
        advice,
        len(absent),
        total,
        figures={"met": id_match.n_matched, "would_meet": id_match.n_remedied},
        examples=tuple(Example(image, "no references") for image in absent[:MAX_EXAMPLES]),
    )
