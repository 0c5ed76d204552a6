"""Truncated captions: ending with a word that cannot be last, or within a sentence."""

from __future__ import annotations

import re

import numpy as np

from captious.diagnostics.check.evidence import Evidence, Flags
from captious.diagnostics.check.finding import Finding, format_percent, grade
from captious.diagnostics.check.kinds.markup import LIST_ITEM
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens, words_by_id

# People end so in .0002 of their captions, machines on COCO in up to .002.
GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE = 0.25, 0.03, 0.01
_SENTENCE_END = re.compile(r"[.!?][\"'\u201d\u2019)\]*]*\s")
_NUMBER_BEFORE_STOP = re.compile(r"(?<!\w)\d{1,3}\Z")
_ITEM_START = re.compile(r"(?:\A|[\n:;.!?]\s*)\(?\Z")
_ENDINGS = tuple(".!?:;\"'\u201d\u2019)]*\u2026")


def find(evidence: Evidence) -> Finding | None:
    """Find candidates that end with an article or a preposition, or within a sentence."""
    is_cut = are_cut_off(evidence)
    count, total = int(is_cut.sum()), len(evidence)
    severity = grade(count / total, GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE)
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
