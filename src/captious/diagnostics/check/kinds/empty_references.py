"""Empty references: no word is left of them after tokenising."""

from __future__ import annotations

import numpy as np

from captious.diagnostics.check.evidence import Evidence, shorten
from captious.diagnostics.check.finding import MAX_EXAMPLES, Example, Finding, format_percent, grade
from captious.text.tokens import Tokens

GRAVE_SHARE, NOTABLE_SHARE = 0.1, 0.0


def find(evidence: Evidence) -> Finding | None:
    """Find references of white space or punctuation only, which CIDEr includes in its mean.

    Most metrics take the best of the references, and lose nothing by one that is empty.
    """
    references = evidence.samples.references
    images = np.unique(evidence.samples.images)
    rows = references.rows.take(images)
    lengths = references.analysis.layer(Tokens).pieces.lengths_at(rows.values)
    is_empty = lengths == 0
    count, total = int(is_empty.sum()), len(lengths)
    severity = grade(count / total, GRAVE_SHARE, NOTABLE_SHARE) if total else None
    if severity is None:
        return None
    worded = np.bincount(rows.owners, ~is_empty, len(images))
    alone = int((worded == 0).sum())
    ids = dict(zip(evidence.samples.images.tolist(), evidence.ids, strict=True))
    places = np.flatnonzero(is_empty)[:MAX_EXAMPLES]
    texts = [shorten(evidence.references[row]) for row in rows.values[places].tolist()]
    owners = images[rows.owners[places]].tolist()
    return Finding(
        "empty_references",
        severity,
        f"{count:,} of {total:,} references ({format_percent(count / total)}) have no words: "
        "CIDEr and "
        "CIDEr-D, which average over references, are lowered by their share"
        + (
            f"; {alone:,} image{'s' * (alone > 1)} with no other reference cannot match anything"
            if alone
            else ""
        ),
        "remove them from the references, and check whether captions were lost",
        count,
        total,
        "references",
        {"images": alone},
        tuple(
            Example(ids[image], text or "(nothing)")
            for image, text in zip(owners, texts, strict=True)
        ),
    )
