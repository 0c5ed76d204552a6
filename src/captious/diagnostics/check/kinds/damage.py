"""Encoding damage: letters garbled by reading text in the wrong encoding."""

from __future__ import annotations

import re

import numpy as np

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Finding, format_percent, grade

GRAVE_SHARE, NOTABLE_SHARE = 0.25, 0.01
# UTF-8 read as Latin-1 or Windows-1252, and what stands for letters that were lost.
_SPOILT = re.compile(
    "[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013-\u203a\u20ac]"
    "|\u00e2\u20ac|\u00e2\u0080|\u00f0\u0178|\u00f0\u009f|\u00ef\u00bf\u00bd|\ufffd"
)


def find(evidence: Evidence) -> Finding | None:
    """Find candidates and references with garbled letters."""
    of_candidates, of_references = (
        np.array([not text.isascii() and _SPOILT.search(text) is not None for text in captions])
        for captions in (evidence.candidates, evidence.references)
    )
    is_spoilt = evidence.per_sample(of_candidates)
    count, total, theirs = int(is_spoilt.sum()), len(evidence), int(of_references.sum())
    share = max(count / total, theirs / len(of_references))
    severity = grade(share, GRAVE_SHARE, NOTABLE_SHARE)
    if severity is None:
        return None
    return Finding(
        "damage",
        severity,
        f"{count:,} of {total:,} candidates ({format_percent(count / total)}) and {theirs:,} "
        "references "
        "have characters garbled by a wrong encoding, such as \u00c3\u00a9 for \u00e9",
        "read and write all files as UTF-8",
        count,
        total,
        figures={"references": theirs},
        examples=evidence.examples(is_spoilt),
    )
