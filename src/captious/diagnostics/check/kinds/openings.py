"""Openings about the picture, not its content, as large models write: "The image shows"."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Finding, format_percent, grade
from captious.text.english import ENGLISH

# Beyond what references have: "A black and white photo of" is a caption's opening, too. On COCO
# .019 of people's captions begin so, and up to .036 of a system's.
GRAVE_SHARE, NOTABLE_SHARE = 0.5, 0.05


def find(evidence: Evidence) -> Finding | None:
    """Find openings like "The image shows" that are more frequent than in references."""
    pattern = ENGLISH.openings.ABOUT_THE_PICTURE
    has_opening = evidence.matching(pattern)
    count, total = int(has_opening.sum()), len(evidence)
    if count / total < NOTABLE_SHARE:  # most sets need not look at their references
        return None
    of_references = evidence.share_of_references(pattern)
    severity = grade(count / total - of_references, GRAVE_SHARE, NOTABLE_SHARE, minor=1.1)
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
