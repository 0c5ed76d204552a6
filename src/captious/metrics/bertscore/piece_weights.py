"""Weights of word pieces in BERTScore and its variants: uniform, or by inverse frequency."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.metrics.cider.document_frequencies import DocumentFrequencies, FrequencySource
from captious.samples import References
from captious.text.encoder.encoder import Encoder, TokenStates
from captious.text.ngrams import last_words_of, parents_of


def uniform_weights(encoder: Encoder, marks: IntArray) -> FloatArray:
    """1 for every piece, 0 for the marks of beginning and end."""
    weights = np.ones(len(encoder.piece_names()))
    weights[marks] = 0.0
    return weights


def idf_weights(
    encoder: Encoder,
    references: References,
    states: TokenStates,
    df: FrequencySource,
    smoothed: bool = True,
) -> FloatArray:
    """The logarithm of how many documents there are for each that has the piece.

    Without `df` every reference is a document, as in the `bert-score` package. `smoothed` adds one
    to both numbers, as there; else a piece of no document counts as one of one document.
    """
    size = len(encoder.piece_names())
    if df is None:
        documents, counts = _count_in_references(references, states, size)
    else:
        given = df if isinstance(df, DocumentFrequencies) else DocumentFrequencies.load(df)
        documents, counts = given.documents, _counts_from_frequencies(given, encoder, size)
    if smoothed:
        weights: FloatArray = np.log((documents + 1) / (counts + 1))
    else:
        weights = np.log(documents / np.maximum(1.0, counts))
    weights[special_pieces(states)] = 0.0
    return weights


def special_pieces(states: TokenStates) -> IntArray:
    """The pieces that stand before and after every caption."""
    pieces = states.pieces
    return pieces.values[[0, pieces.offsets[1] - 1]]


def _count_in_references(
    references: References, states: TokenStates, size: int
) -> tuple[int, FloatArray]:
    """The number of references, and of those that have each piece."""
    times = np.bincount(references.rows.values, minlength=len(states.pieces))
    distinct = np.unique(states.pieces.owners * size + states.pieces.values)
    counts = np.bincount(distinct % size, times[distinct // size], minlength=size)
    return len(references.rows.values), counts.astype(np.float64)


def _counts_from_frequencies(df: DocumentFrequencies, encoder: Encoder, size: int) -> FloatArray:
    """The documents that have each piece, as far as those that have each word tell.

    A piece of several words is in at most as many documents as these together.
    """
    single = parents_of(df.keys) == 0
    words = [df.vocabulary[word] for word in last_words_of(df.keys[single]).tolist()]
    pieces = encoder.pieces(words)
    times = np.repeat(df.counts[single], pieces.lengths)
    distinct, places = np.unique(pieces.owners * size + pieces.values, return_index=True)
    counts = np.bincount(distinct % size, times[places], minlength=size)
    return np.minimum(counts.astype(np.float64), df.documents)
