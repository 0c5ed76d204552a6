"""Lemmas of tagged words, as CoreNLP's Morphology gives them.

Verbs and plural nouns have rules for their endings and a table of the words that the rules get
wrong, written by the training command; of the other tags only a handful of words change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

VERB = "VB"
PLURAL = "NNS"

# Words of closed classes that change, by tag.
_CLOSED: Mapping[tuple[str, str], str] = {
    ("an", "DT"): "a",
    ("n't", "RB"): "not",
    ("n", "RB"): "not",
    ("them", "PRP"): "they",
    ("him", "PRP"): "he",
    ("her", "PRP"): "she",
    ("me", "PRP"): "I",
    ("us", "PRP"): "we",
    ("your", "PRP"): "you",
    ("his", "PRP$"): "he",
    ("her", "PRP$"): "she",
    ("their", "PRP$"): "they",
    ("your", "PRP$"): "you",
    ("our", "PRP$"): "we",
    ("'ll", "MD"): "will",
    ("ca", "MD"): "can",
    ("wo", "MD"): "will",
    ("wilt", "MD"): "will",
    ("'d", "MD"): "would",
}

# Morphology leaves a word with anything but letters, digits and hyphens as it is.
_PLAIN = re.compile(r"[a-z0-9-]*[a-z]")
# Ends of longer stems that took no e before -ing and -ed were added.
_STAYS_SHORT = re.compile(r"(?:[eo]n|[eo]r|[ie]t|[aeo]l|[eo]m|[eio]p|[ie]sh|o[dw]|ck)$")


def word_class(tag: str) -> str | None:
    """Return the class whose rules a tag falls under; verbs share theirs whatever the form."""
    if tag.startswith(VERB):
        return VERB
    return PLURAL if tag == PLURAL else None


def lemma(word: str, tag: str, exceptions: Mapping[tuple[str, str], str]) -> str:
    """Return the lemma of a word with its tag; `exceptions` are by (word, class)."""
    kind = word_class(tag)
    if kind is None:
        return _CLOSED.get((word, tag), word)
    known = exceptions.get((word, kind))
    return lemma_by_rule(word, kind) if known is None else known


def lemma_by_rule(word: str, kind: str) -> str:
    """Return the lemma of a regular verb or plural noun."""
    if not _PLAIN.fullmatch(word):
        return word
    return _base_verb(word) if kind == VERB else _singular(word)


def _singular(word: str) -> str:
    """Return the singular of a regular plural, Latin endings like CoreNLP."""
    if word.endswith("men") and len(word) > 3:
        return word[:-3] + "man"
    if word.endswith("i") and len(word) > 3:
        return word[:-1] + "us"
    return _without_s(word)


def _without_s(word: str) -> str:
    """Remove the ending -s of a noun or a verb."""
    if not word.endswith("s") or len(word) < 2 or word.endswith(("ss", "us", "-s")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) and len(word) > 4:
        return word[:-2]
    if word.endswith("wives"):
        return word[:-3] + "fe"
    return word[:-1]


def _base_verb(word: str) -> str:
    """Return the base form of a regular verb."""
    if word.endswith("s"):
        return _without_s(word)
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1 and re.search("[aeiouy]", stem):
            return _restore_base(stem)
    return word


def _restore_base(stem: str) -> str:
    """Restore a letter that was lost or doubled before -ing and -ed."""
    last = stem[-1]
    if len(stem) > 2 and last == stem[-2] and last not in "aeiouy":
        return stem if last in "lszf" else stem[:-1]
    if last in "aeiouyhwx":
        return stem + "e" if last == "u" or re.search("[^e]e$", stem) else stem
    if last in "vzc" or re.search("(?:[dlr]g|chang|rrang|eng|[^aeiourlw]l|[nrlp]s)$", stem):
        return stem + "e"
    if re.search("[^aeiou][aeiou][^aeiouwxy]$", stem) or re.fullmatch("[aeiou][^aeiouwxy]", stem):
        return _restore_final_e(stem)
    if re.search("[aeiou]{2}s$|qu[aio][rt]$|[iu]at$", stem):
        return stem + "e"
    return stem


def _restore_final_e(stem: str) -> str:
    """Restore the final e of a stem in one vowel and one consonant: `hop` of hope, not `gather`."""
    if len(re.findall("[aeiouy]+", stem)) == 1:
        return stem + "e"
    return stem if _STAYS_SHORT.search(stem) else stem + "e"
