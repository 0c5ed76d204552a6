"""Markup: Markdown, tags, JSON, special tokens and other text that is no caption."""

from __future__ import annotations

import re

import numpy as np

from captious.diagnostics.check.evidence import Evidence, excerpt
from captious.diagnostics.check.finding import Finding, format_percent, grade

GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE = 0.25, 0.01, 0.001
# A cheap filter: without one of these no pattern below matches, which holds for most captions.
_MAY_HAVE_ANY = re.compile(
    r"[*_#`<\[{&\\\n\u2022\u2023\u25aa\"\u201c]|UNK|\A\s*(?:[-+\u2013\u2014]|\(?\d|\(?[a-z]\))"
)
LIST_ITEM = re.compile(
    r"(?m)^[ \t]*(?:[-*+\u2013\u2014\u2022\u2023\u25aa]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+\S"
)
MARKS = {
    "list bullets": LIST_ITEM,
    "emphasis": re.compile(r"\*\*\S|\b__\w"),
    "headings": re.compile(r"(?m)^[ \t]{0,3}#{1,6}[ \t]+\S"),
    "code": re.compile(r"```|`[^`]+`"),
    "tags": re.compile(r"</?[A-Za-z!|][^<>\n]{0,60}>"),
    "special tokens": re.compile(r"\[(?:SEP|CLS|PAD|UNK|MASK|BOS|EOS|INST)\]|\bUNK\b"),
    "HTML entities": re.compile(r"&(?:[A-Za-z]{2,8}|#x?[0-9A-Fa-f]{2,6});"),
    "escapes": re.compile(r"\\(?:[nrt\"']|u[0-9a-fA-F]{4})"),
    "JSON or lists": re.compile(r"\A\s*(?:\{\s*[\"']|\[\s*[\"'])"),
    "quotes around it": re.compile(r"\A\s*(?:\"[^\"]+\"|\u201c[^\u201d]+\u201d)\s*\Z"),
    "several lines": re.compile(r"\S[ \t]*[\r\n]\s*\S"),
}


def find(evidence: Evidence) -> Finding | None:
    """Find candidates with markup, and count them by kind."""
    suspects = [
        place for place, text in enumerate(evidence.candidates) if _MAY_HAVE_ANY.search(text)
    ]
    counts: dict[str, float] = {}
    any_of_them = np.zeros(len(evidence), np.bool_)
    for name, pattern in MARKS.items():
        of_candidates = np.zeros(len(evidence.candidates), np.bool_)
        of_candidates[[row for row in suspects if pattern.search(evidence.candidates[row])]] = True
        has_it = evidence.per_sample(of_candidates)
        if has_it.any():
            counts[name] = int(has_it.sum())
            any_of_them |= has_it
    count, total = int(any_of_them.sum()), len(evidence)
    severity = grade(count / total, GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE)
    if severity is None:
        return None
    most_first = sorted(counts, key=lambda name: -counts[name])
    listed = ", ".join(f"{name} {counts[name]:,}" for name in most_first)
    return Finding(
        "markup",
        severity,
        f"{count:,} of {total:,} candidates ({format_percent(count / total)}) have markup "
        f"({listed})",
        "strip it before scoring, or ask the model for plain text; references rarely have any",
        count,
        total,
        figures=counts,
        examples=evidence.examples(any_of_them, _around_first_mark),
    )


def _around_first_mark(caption: str) -> str:
    found = [match.span() for pattern in MARKS.values() if (match := pattern.search(caption))]
    return excerpt(caption, *min(found))
