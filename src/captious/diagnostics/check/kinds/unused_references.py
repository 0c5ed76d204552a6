"""Unused references: images with references and no candidate."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import MAX_EXAMPLES, MINOR, Example, Finding, format_percent


def find(evidence: Evidence) -> Finding | None:
    """Find references that scoring ignores, e.g. when a split is scored against a whole file."""
    unused = evidence.id_match.without_candidates
    if not unused:
        return None
    total = evidence.id_match.n_matched + len(unused)
    share = len(unused) / total
    return Finding(
        "unused_references",
        MINOR,
        f"{len(unused):,} of {total:,} images with references ({format_percent(share)}) have no "
        "candidate and are not scored",
        "if the whole set should be scored, look for the missing candidates; document frequencies "
        "are counted over the scored images only",
        len(unused),
        total,
        "images",
        examples=tuple(Example(image, "no candidate") for image in unused[:MAX_EXAMPLES]),
    )
