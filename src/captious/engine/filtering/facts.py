"""Facts of captions that expressions can name, without any metric."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from captious.corpus import Corpus
from captious.engine.filtering.values import Numbers, Truths, Value
from captious.findings.evidence import seem_foreign
from captious.samples import unique_rows
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
    foreign = seem_foreign(Analysis(unique, tokenizer))[rows]
    return Truths(~foreign, np.ones_like(foreign))


FACTS: dict[str, tuple[str, Callable[[Corpus, str], Value]]] = {
    "words": ("words of the candidate, as metrics count them", _words),
    "characters": ("characters of the candidate", _characters),
    "reference_count": ("how many references the candidate has", _reference_count),
    "english": ("whether the candidate's words are, for the most part, English", _english),
}
