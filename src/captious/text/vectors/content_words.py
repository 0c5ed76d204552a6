"""Counts of the words of a caption that have a vector, for distances between captions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors


@dataclass(frozen=True, slots=True)
class ContentWords:
    """Each caption's different words, ascending, with counts.

    `words` are rows of `vectors`, which has only the words that occur; `names` are the rows of the
    whole table, the same in every analysis. Stop words, tokens without a letter or digit, and words
    without a vector are left out.
    """

    words: Ragged
    names: IntArray
    counts: IntArray
    totals: IntArray
    vectors: FloatArray

    @classmethod
    def of(cls, analysis: Analysis, table: WordVectors, stop_words: bool = False) -> ContentWords:
        """The words of an analysis, found once; `stop_words` keeps these, too."""
        key = ("content words", table.signature, stop_words)
        return analysis.get_or_compute(key, lambda: cls._build(analysis, table, stop_words))

    @classmethod
    def _build(cls, analysis: Analysis, table: WordVectors, stop_words: bool) -> ContentWords:
        ids = analysis.layer(Tokens).ids
        rows = _table_rows(analysis, table, stop_words)[ids.values]
        known = rows != UNKNOWN
        # One number for caption and word: sorting it groups the words of each caption.
        keys = np.sort(ids.owners[known] * len(table) + rows[known])
        # (np.unique would do the rest, and load NumPy's masked arrays for it.)
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        keys, counts = keys[firsts], np.diff(firsts, append=len(keys))
        owners, names = np.divmod(keys, len(table))
        offsets = offsets_of(np.bincount(owners, minlength=len(ids)))
        is_used = np.zeros(len(table), np.bool_)
        is_used[names] = True
        words = (np.cumsum(is_used) - 1)[names]
        totals = np.bincount(owners, counts, minlength=len(ids)).astype(np.int64)
        return cls(Ragged(words, offsets), names, counts, totals, table.at(np.flatnonzero(is_used)))


def _table_rows(analysis: Analysis, table: WordVectors, stop_words: bool) -> IntArray:
    """The row of each token id, those of the base first; UNKNOWN for what is left out."""

    def look_up() -> IntArray:
        base = analysis.base
        before = _table_rows(base, table, stop_words) if base else np.zeros(0, np.int64)
        words = list(analysis.layer(Tokens).vocabulary)
        new = table.rows(words)
        counts = [_is_content_word(word, stop_words) for word in words]
        new[~np.array(counts, np.bool_)] = UNKNOWN
        return np.concatenate([before, new])

    return analysis.get_or_compute(("table rows", table.signature, stop_words), look_up)


def _is_content_word(word: str, stop_words: bool) -> bool:
    """Whether a token is a word that is not to be left out."""
    is_word = word.isalnum() or any(map(str.isalnum, word))
    return is_word and (stop_words or word.lower() not in ENGLISH.stop_words)
