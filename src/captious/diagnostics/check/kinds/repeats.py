"""Repeated captions: a captioner that says the same of many images."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Example, Finding, graded, percent

# Of all candidates the most frequent one. In nine systems on COCO it has at most .021 of them.
GRAVE_SHARE, NOTABLE_SHARE = 0.2, 0.05
FEW = 20  # candidates among which two alike say nothing


def find(evidence: Evidence) -> Finding | None:
    """One caption that many images have, as far as words go."""
    total = len(evidence)
    if total < FEW:
        return None
    firsts, counts = first_and_count(evidence)
    most = int(counts.max())
    severity = graded(most / total, GRAVE_SHARE, NOTABLE_SHARE, minor=1.1)
    if severity is None:
        return None
    by_count = np.argsort(-counts, kind="stable")
    examples = evidence.examples(firsts[by_count])
    distinct = len(counts) / total
    return Finding(
        "repeats",
        severity,
        f"{most:,} of {total:,} images ({percent(most / total)}) have the same caption; "
        f"{percent(distinct)} of all captions are distinct",
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


def first_and_count(evidence: Evidence) -> tuple[IntArray, IntArray]:
    """Of all candidates of different words the first sample that has each, and how many have it."""
    alike = evidence.worded_alike()
    _, firsts, counts = np.unique(alike, return_index=True, return_counts=True)
    return firsts, counts
