"""Openings that are no part of a caption: "The image shows", or a reply to a user."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.findings import NEVER, Finding, format_percent, grade
from captious.text.english import ENGLISH

# Beyond what references have: "A black and white photo of" is a caption's opening, too. On COCO
# .019 of people's captions begin so, and up to .036 of a system's.
OPENING_GRAVE_SHARE, OPENING_NOTABLE_SHARE = 0.5, 0.05


def find_openings(evidence: Evidence) -> Finding | None:
    """Find openings like "The image shows" that are more frequent than in references."""
    pattern = ENGLISH.picture_opening
    has_opening = evidence.matching(pattern)
    count, total = int(has_opening.sum()), len(evidence)
    if count / total < OPENING_NOTABLE_SHARE:  # most sets need not look at their references
        return None
    of_references = evidence.share_of_references(pattern)
    severity = grade(
        count / total - of_references, OPENING_GRAVE_SHARE, OPENING_NOTABLE_SHARE, minor=NEVER
    )
    if severity is None:
        return None
    return Finding(
        "openings",
        severity,
        f'{count:,} of {total:,} candidates ({format_percent(count / total)}) begin with "The '
        "image "
        f'shows" or similar words; {format_percent(of_references)} of the references do',
        "remove such openings, or ask the model to begin with the content of the image: their "
        "n-grams rarely match a reference",
        count,
        total,
        figures={"of_references": of_references},
        examples=evidence.examples(has_opening),
    )


ANSWER_GRAVE_SHARE, ANSWER_NOTABLE_SHARE, ANSWER_MINOR_SHARE = 0.25, 0.01, 0.001


def find_answers(evidence: Evidence) -> Finding | None:
    """Find candidates that begin like an answer ("Sure, here is", "I'm sorry")."""
    pattern = ENGLISH.answer_opening
    is_answer = evidence.matching(pattern)
    count, total = int(is_answer.sum()), len(evidence)
    if count / total < ANSWER_MINOR_SHARE:  # most sets need not look at their references
        return None
    beyond = count / total - evidence.share_of_references(pattern)
    severity = grade(beyond, ANSWER_GRAVE_SHARE, ANSWER_NOTABLE_SHARE, ANSWER_MINOR_SHARE)
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
