"""Facts of captions that expressions can name, without any metric."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from captious.corpus import Corpus
from captious.diagnostics.check.evidence import seem_non_english
from captious.samples import unique_rows
from captious.streaming.filtering.values import Numbers, Texts, Truths, Value
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens


def _words(corpus: Corpus, tokenizer: str) -> Numbers:
    unique, rows = unique_rows(corpus.candidates)
    lengths = Analysis(unique, tokenizer).layer(Tokens).pieces.lengths
    return Numbers(lengths[rows].astype(np.float64))


def _characters(corpus: Corpus, tokenizer: str) -> Numbers:
    return Numbers(np.array([len(text) for text in corpus.candidates], np.float64))


def _reference_count(corpus: Corpus, tokenizer: str) -> Numbers:
    return Numbers(np.diff(corpus.references.offsets)[corpus.images].astype(np.float64))


def _english(corpus: Corpus, tokenizer: str) -> Truths:
    unique, rows = unique_rows(corpus.candidates)
    foreign = seem_non_english(Analysis(unique, tokenizer))[rows]
    return Truths(~foreign, np.ones_like(foreign))


def _script(corpus: Corpus, tokenizer: str) -> Texts:
    unique, rows = unique_rows(corpus.candidates)
    scripts = np.empty(len(unique), object)
    for row, caption in enumerate(unique):
        scripts[row] = main_script(caption)
    return Texts(scripts[rows])


def main_script(caption: str) -> str | None:
    """The script of most letters, of several the first one; None where there is no letter."""
    letters = Counter(filter(None, map(_script_of, unicodedata.normalize("NFKC", caption))))
    return max(letters, key=letters.__getitem__, default=None)


@lru_cache(4096)
def _script_of(letter: str) -> str | None:
    """The first word of a letter's name, which is its script in all that are written today."""
    if not letter.isalpha():
        return None
    name = re.split("[ -]", unicodedata.name(letter, "").lower())[0]
    return _IDEOGRAPHS.get(name, name) or None


_IDEOGRAPHS = {"cjk": "han", "ideographic": "han"}
FACTS: dict[str, tuple[str, Callable[[Corpus, str], Value]]] = {
    "words": ("words of the candidate, as metrics count them", _words),
    "characters": ("characters of the candidate", _characters),
    "reference_count": ("how many references the candidate has", _reference_count),
    "script": ("the script of most letters, such as 'latin', 'cyrillic' or 'han'", _script),
    "english": ("whether the candidate's words are, for the most part, English", _english),
}
