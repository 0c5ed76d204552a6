"""Pairs of captions without a word to compare, which are equal only if all their tokens are."""

from __future__ import annotations

import numpy as np

from captious.ragged import IntArray
from captious.samples import Samples
from captious.text.content_words import ContentWords
from captious.text.tokens import Tokens
from captious.text.word_vectors import WordVectors


def equal_without_words(samples: Samples, table: WordVectors, stop_words: bool = False) -> IntArray:
    """Pairs of captions that have no content words and the same tokens: equal all the same."""
    analyses = (samples.candidates, samples.references.analysis)
    mine, theirs = (ContentWords.of(analysis, table, stop_words) for analysis in analyses)
    rows, others = samples.rows[samples.pairs.owners], samples.pairs.values
    empty = np.flatnonzero((mine.totals[rows] == 0) & (theirs.totals[others] == 0))
    tokens = [analysis.layer(Tokens).words for analysis in analyses]
    same = [tokens[0][rows[pair]] == tokens[1][others[pair]] for pair in empty]
    return empty[np.array(same, np.bool_)]
