"""Images that have references and no candidate."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import MINOR, MOST_EXAMPLES, Example, Finding, percent


def find(evidence: Evidence) -> Finding | None:
    """References that scoring leaves out, as where a split is scored against a whole file."""
    unused = evidence.meeting.without_candidate
    if not unused:
        return None
    total = evidence.meeting.met + len(unused)
    share = len(unused) / total
    return Finding(
        "unused_references",
        MINOR,
        f"{len(unused):,} of {total:,} images with references ({percent(share)}) have no "
        "candidate and are not scored",
        "if the whole set should be scored, look for the missing candidates; document frequencies "
        "are counted over the scored images only",
        len(unused),
        total,
        "images",
        examples=tuple(Example(image, "no candidate") for image in unused[:MOST_EXAMPLES]),
    )
