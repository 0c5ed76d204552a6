"""Length: candidates much longer or shorter than references, by CIDEr-D's length penalty."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Finding, format_percent, grade

# Shares of CIDEr-D. Captions of people and machines keep .72 to .92 of it, since lengths differ.
GRAVE_LOSS, NOTABLE_LOSS = 0.75, 0.5
HALF = 0.5  # a sample that keeps less is counted


def find(evidence: Evidence) -> Finding | None:
    """Find length differences for which the penalty removes most of CIDEr-D."""
    kept = evidence.mean_length_penalty()
    mean = float(kept.mean())
    severity = grade(1 - mean, GRAVE_LOSS, NOTABLE_LOSS, minor=1.1)
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
