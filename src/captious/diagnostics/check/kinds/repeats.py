"""Repeated captions: the same caption for many images."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Example, Finding, format_percent, grade

# Of all candidates the most frequent one. In nine systems on COCO it has at most .021 of them.
GRAVE_SHARE, NOTABLE_SHARE = 0.2, 0.05
MIN_CANDIDATES = 20  # with fewer, repetitions are no evidence


def find(evidence: Evidence) -> Finding | None:
    """Find a caption that many images share, compared by its words."""
    total = len(evidence)
    if total < MIN_CANDIDATES:
        return None
    firsts, counts = count_captions(evidence)
    most = int(counts.max())
    severity = grade(most / total, GRAVE_SHARE, NOTABLE_SHARE, minor=1.1)
    if severity is None:
        return None
    by_count = np.argsort(-counts, kind="stable")
    examples = evidence.examples(firsts[by_count])
    distinct = len(counts) / total
    return Finding(
        "repeats",
        severity,
        f"{most:,} of {total:,} images ({format_percent(most / total)}) have the same caption; "
        f"{format_percent(distinct)} of all captions are distinct",
        "check whether the captioner sees its images (mode collapse, the same image every time, a "
        "cache)",
        most,
        total,
        figures={"distinct": distinct, "different": len(counts)},
        examples=tuple(
            Example(each.id, f"{count:,} times: {each.text}")
            for each, count in zip(examples, counts[by_count].tolist(), strict=False)
        ),
    )


def count_captions(evidence: Evidence) -> tuple[IntArray, IntArray]:
    """Count distinct candidates: the first sample with each, and its frequency."""
    alike = evidence.word_sequence_ids()
    _, firsts, counts = np.unique(alike, return_index=True, return_counts=True)
    return firsts, counts
