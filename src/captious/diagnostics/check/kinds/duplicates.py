"""Duplicates: one caption for many images, and candidates that are one of their references."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.diagnostics.check.evidence import Evidence, Flags
from captious.diagnostics.check.findings import NEVER, Example, Finding, format_percent, grade
from captious.text.tokens import word_sequences

# Of all candidates the most frequent one. In nine systems on COCO it has at most .021 of them.
REPEAT_GRAVE_SHARE, REPEAT_NOTABLE_SHARE = 0.2, 0.05
MIN_CANDIDATES = 20  # with fewer, neither repetitions nor copies are evidence


def find_repeats(evidence: Evidence) -> Finding | None:
    """Find a caption that many images share, compared by its words."""
    total = len(evidence)
    if total < MIN_CANDIDATES:
        return None
    firsts, counts = count_captions(evidence)
    most = int(counts.max())
    severity = grade(most / total, REPEAT_GRAVE_SHARE, REPEAT_NOTABLE_SHARE, minor=NEVER)
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


# Short captions of common scenes coincide: of nine systems' on COCO, up to .018 do.
COPY_GRAVE_SHARE, COPY_NOTABLE_SHARE = 0.5, 0.15


def find_copies(evidence: Evidence) -> Finding | None:
    """Find candidates with the words of a reference: leaked or copied references."""
    total = len(evidence)
    if total < MIN_CANDIDATES:
        return None
    is_copy = are_copies(evidence)
    count = int(is_copy.sum())
    severity = grade(count / total, COPY_GRAVE_SHARE, COPY_NOTABLE_SHARE, minor=NEVER)
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
