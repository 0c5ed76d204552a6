"""Malformed text: markup, captions that break off, and letters garbled by a wrong encoding."""

from __future__ import annotations

import re

import numpy as np

from captious.diagnostics.check.evidence import Evidence, Flags, excerpt
from captious.diagnostics.check.findings import Finding, format_percent, grade
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens, words_by_id

MARKUP_GRAVE_SHARE, MARKUP_NOTABLE_SHARE, MARKUP_MINOR_SHARE = 0.25, 0.01, 0.001
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


def find_markup(evidence: Evidence) -> Finding | None:
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
    severity = grade(count / total, MARKUP_GRAVE_SHARE, MARKUP_NOTABLE_SHARE, MARKUP_MINOR_SHARE)
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


# People end so in .0002 of their captions, machines on COCO in up to .002.
CUT_OFF_GRAVE_SHARE, CUT_OFF_NOTABLE_SHARE, CUT_OFF_MINOR_SHARE = 0.25, 0.03, 0.01
_SENTENCE_END = re.compile(r"[.!?][\"'\u201d\u2019)\]*]*\s")
_NUMBER_BEFORE_STOP = re.compile(r"(?<!\w)\d{1,3}\Z")
_ITEM_START = re.compile(r"(?:\A|[\n:;.!?]\s*)\(?\Z")
_ENDINGS = tuple(".!?:;\"'\u201d\u2019)]*\u2026")


def find_cut_off(evidence: Evidence) -> Finding | None:
    """Find candidates that end with an article or a preposition, or within a sentence."""
    is_cut = are_cut_off(evidence)
    count, total = int(is_cut.sum()), len(evidence)
    severity = grade(count / total, CUT_OFF_GRAVE_SHARE, CUT_OFF_NOTABLE_SHARE, CUT_OFF_MINOR_SHARE)
    if severity is None:
        return None
    longest = evidence.samples.candidate_lengths[is_cut].max(initial=0)
    return Finding(
        "cut_off",
        severity,
        f"{count:,} of {total:,} candidates ({format_percent(count / total)}) are cut off",
        f"let the captioner generate more words (those cut off have up to {int(longest)}); in "
        "training with CIDEr-D as reward, reward the end of the sentence, too",
        count,
        total,
        examples=evidence.examples(is_cut),
    )


def are_cut_off(evidence: Evidence) -> Flags:
    """Whether each sample's candidate is cut off."""
    analysis = evidence.samples.candidates
    ids, names = analysis.layer(Tokens).ids, words_by_id(analysis)
    has_words = ids.lengths > 0
    last = ids.values[ids.offsets[1:][has_words] - 1]
    cannot_be = np.zeros(len(evidence.candidates), np.bool_)
    never = ENGLISH.grammar.NON_FINAL_WORDS
    cannot_be[has_words] = [names[word].lower() in never for word in last.tolist()]
    unfinished = np.array([_is_unfinished(caption) for caption in evidence.candidates], np.bool_)
    return evidence.per_sample(cannot_be | unfinished)


def _is_unfinished(caption: str) -> bool:
    """Whether finished sentences are followed by one without an end, as a limit on length does.

    One finished sentence is not enough: "A dog. It runs" is what people write, too. Nor has an item
    of a list to be a sentence.
    """
    text = caption.rstrip()
    if text.endswith(_ENDINGS):
        return False
    ends = [
        match.end()
        for match in _SENTENCE_END.finditer(text)
        if not _numbers_an_item(text, match.start())
    ]
    if len(ends) < 2:
        return False
    rest = text[ends[-1] :]
    # A list may stand in lines, or in one line behind a sentence or a colon.
    starts = (0, rest.rfind("\n") + 1, rest.rfind(":") + 1)
    return not any(LIST_ITEM.match(rest[start:]) for start in starts)


def _numbers_an_item(text: str, stop: int) -> bool:
    """Whether a full stop stands behind the number of a list item, and so ends no sentence.

    Such a number begins a line or a sentence, or follows the item before it: "1. A lamp 2. A book".
    """
    number = _NUMBER_BEFORE_STOP.search(text, max(stop - 4, 0), stop)
    if number is None:
        return False
    before = text[: number.start()]
    is_next = re.search(rf"(?<!\w){int(number[0]) - 1}[.)]\s", before)
    return is_next is not None or _ITEM_START.search(before) is not None


GARBLED_GRAVE_SHARE, GARBLED_NOTABLE_SHARE = 0.25, 0.01
# UTF-8 read as Latin-1 or Windows-1252, and what stands for letters that were lost.
_SPOILT = re.compile(
    "[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013-\u203a\u20ac]"
    "|\u00e2\u20ac|\u00e2\u0080|\u00f0\u0178|\u00f0\u009f|\u00ef\u00bf\u00bd|\ufffd"
)


def find_damage(evidence: Evidence) -> Finding | None:
    """Find candidates and references with garbled letters."""
    of_candidates, of_references = (
        np.array([not text.isascii() and _SPOILT.search(text) is not None for text in captions])
        for captions in (evidence.candidates, evidence.references)
    )
    is_spoilt = evidence.per_sample(of_candidates)
    count, total, theirs = int(is_spoilt.sum()), len(evidence), int(of_references.sum())
    share = max(count / total, theirs / len(of_references))
    severity = grade(share, GARBLED_GRAVE_SHARE, GARBLED_NOTABLE_SHARE)
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
