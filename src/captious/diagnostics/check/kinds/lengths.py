"""Lengths: captions without words, and candidates much longer or shorter than references."""

from __future__ import annotations

import numpy as np

from captious.diagnostics.check.evidence import Evidence, shorten
from captious.diagnostics.check.findings import (
    MAX_EXAMPLES,
    NEVER,
    Example,
    Finding,
    format_percent,
    grade,
)
from captious.text.tokens import Tokens

# Shares of CIDEr-D. Captions of people and machines keep .72 to .92 of it, since lengths differ.
GRAVE_LOSS, NOTABLE_LOSS = 0.75, 0.5
HALF = 0.5  # a sample that keeps less is counted


def find_length(evidence: Evidence) -> Finding | None:
    """Find length differences for which the penalty removes most of CIDEr-D."""
    kept = evidence.mean_length_penalty()
    mean = float(kept.mean())
    severity = grade(1 - mean, GRAVE_LOSS, NOTABLE_LOSS, minor=NEVER)
    if severity is None:
        return None
    words, reference_words = evidence.mean_words()
    if words > reference_words:
        advice = (
            "have the captioner write captions as long as the references (one short sentence), or "
            "score against references as long as the captions; `cider` has no length penalty"
        )
    else:
        advice = (
            "have the captioner write captions as long as the references; BLEU's brevity penalty "
            "lowers the score of short captions, too"
        )
    lost = kept < HALF
    return Finding(
        "length",
        severity,
        f"candidates have {words:.1f} words and references {reference_words:.1f}: CIDEr-D's "
        f"length penalty leaves {format_percent(mean)} of what the words would score",
        advice,
        int(lost.sum()),
        len(evidence),
        figures={"words": words, "reference_words": reference_words, "kept": mean},
        examples=evidence.examples(lost),
    )


EMPTY_GRAVE_SHARE, EMPTY_NOTABLE_SHARE = 0.1, 0.0  # of candidates, and of references


def find_empty(evidence: Evidence) -> Finding | None:
    """Find candidates of white space or punctuation only, which score 0."""
    is_empty = evidence.samples.candidate_lengths == 0
    count, total = int(is_empty.sum()), len(evidence)
    severity = grade(count / total, EMPTY_GRAVE_SHARE, EMPTY_NOTABLE_SHARE)
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


def find_empty_references(evidence: Evidence) -> Finding | None:
    """Find references of white space or punctuation only, which CIDEr includes in its mean.

    Most metrics take the best of the references, and lose nothing by one that is empty.
    """
    references = evidence.samples.references
    images = np.unique(evidence.samples.images)
    rows = references.rows.take(images)
    lengths = references.analysis.layer(Tokens).pieces.lengths_at(rows.values)
    is_empty = lengths == 0
    count, total = int(is_empty.sum()), len(lengths)
    severity = grade(count / total, EMPTY_GRAVE_SHARE, EMPTY_NOTABLE_SHARE) if total else None
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
