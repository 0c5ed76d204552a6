"""Copies: candidates that are one of their own references, word by word."""

from __future__ import annotations

import numpy as np

from captious.diagnostics.check.evidence import Evidence, Flags
from captious.diagnostics.check.finding import Finding, format_percent, grade
from captious.text.tokens import word_sequences

# Short captions of common scenes coincide: of nine systems' on COCO, up to .018 do.
GRAVE_SHARE, NOTABLE_SHARE = 0.5, 0.15
MIN_CANDIDATES = 20  # candidates among which copies say nothing


def find(evidence: Evidence) -> Finding | None:
    """Find candidates with the words of a reference: leaked or copied references."""
    total = len(evidence)
    if total < MIN_CANDIDATES:
        return None
    is_copy = are_copies(evidence)
    count = int(is_copy.sum())
    severity = grade(count / total, GRAVE_SHARE, NOTABLE_SHARE, minor=1.1)
    if severity is None:
        return None
    return Finding(
        "copies",
        severity,
        f"{count:,} of {total:,} candidates ({format_percent(count / total)}) have exactly "
        "the words of "
        "one of their own references",
        "if human captions are scored, remove each from its references; otherwise check whether "
        "the captioner was trained on this test set",
        count,
        total,
        examples=evidence.examples(is_copy),
    )


def are_copies(evidence: Evidence) -> Flags:
    """Whether each sample's candidate has the words of one of its references."""
    samples = evidence.samples
    mine, theirs = map(word_sequences, (samples.candidates, samples.references.analysis))
    candidates = samples.rows[samples.pairs.owners].tolist()
    pairs = zip(candidates, samples.pairs.values.tolist(), strict=True)
    alike = [mine[candidate] == theirs[reference] for candidate, reference in pairs]
    has_one = np.bincount(samples.pairs.owners, alike, len(evidence)) > 0
    flags: Flags = has_one & (samples.candidate_lengths > 0)
    return flags
