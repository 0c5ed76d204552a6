"""Language: captions in another script than the references', or in words that are not English."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from captious.diagnostics.check.evidence import Evidence, Flags, seem_non_english
from captious.diagnostics.check.findings import Finding, format_percent, grade
from captious.text.tokens import Tokens

GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE = 0.6, 0.03, 0.005
MIN_DIFFERENT_WORDS = 8  # words of a Latin script: fewer may be names
LATIN, CJK = "LATIN", "CJK"
NO_LETTERS = ""
# Scripts that one text is written in, or that are drawn wide or narrow beside others.
SCRIPT_GROUPS = {
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "BOPOMOFO", "HALFWIDTH", "IDEOGRAPHIC"), CJK),
    "FULLWIDTH": LATIN,
}


def find_language(evidence: Evidence) -> Finding | None:
    """Find candidates in another script than most references, or that do not seem English."""
    scripts = _scripts(evidence.candidates)
    usual = LATIN if evidence.is_english else _most_frequent(_scripts(evidence.references))
    expected = {usual, NO_LETTERS} if usual else set(scripts)
    is_foreign = np.array([script not in expected for script in scripts], np.bool_)
    if evidence.is_english:
        unknown = seem_non_english(evidence.samples.candidates)
        if len(_words(evidence, unknown)) >= MIN_DIFFERENT_WORDS:
            is_foreign = is_foreign | unknown
    of_samples = evidence.per_sample(is_foreign)
    count, total = int(of_samples.sum()), len(evidence)
    severity = grade(count / total, GRAVE_SHARE, NOTABLE_SHARE, MINOR_SHARE)
    if severity is None:
        return None
    of_references = 0.0
    if evidence.is_english:
        of_references = float(seem_non_english(evidence.samples.references.analysis).mean())
        what = (
            f"{count:,} of {total:,} candidates ({format_percent(count / total)}) do not seem "
            "to be "
            "English"
        )
        foreign = [script for script, is_so in zip(scripts, is_foreign, strict=True) if is_so]
        example = "zh" if _most_frequent(foreign) == CJK else "de"
        advice = (
            f"name the language (such as --language {example}; in Python "
            f'language="{example}"), or provide English captions'
        )
        if of_references < GRAVE_SHARE:
            advice = "the references seem to be English: generate or provide English captions"
    else:
        what = (
            f"{count:,} of {total:,} candidates ({format_percent(count / total)}) are in "
            "another script "
            f"than the references, which use {usual.capitalize()} letters"
        )
        advice = "check whether candidates and references are in the same language"
    return Finding(
        "language",
        severity,
        what,
        advice,
        count,
        total,
        figures={"of_references": of_references},
        examples=evidence.examples(of_samples),
    )


def _words(evidence: Evidence, captions: Flags) -> set[int]:
    """The distinct words of some candidates."""
    ids = evidence.samples.candidates.layer(Tokens).ids
    return set(ids.take(np.flatnonzero(captions)).values.tolist())


def _scripts(captions: Sequence[str]) -> list[str]:
    """The most frequent script of each caption's letters."""
    return [LATIN if text.isascii() else _most_frequent(map(_script, text)) for text in captions]


def _most_frequent(names: Iterable[str]) -> str:
    counted = Counter(name for name in names if name)
    # Of equally frequent ones the first by name: the order of captions must not matter.
    return min(counted, key=lambda name: (-counted[name], name), default=NO_LETTERS)


@lru_cache(1 << 16)
def _script(character: str) -> str:
    """The script of a letter: the first word of its Unicode name."""
    name = unicodedata.name(character, "").partition(" ")[0] if character.isalpha() else NO_LETTERS
    return SCRIPT_GROUPS.get(name, name)
