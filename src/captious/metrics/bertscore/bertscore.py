"""BERTScore: greedy matching of word pieces by their contextual embeddings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged
from captious._internal.checks.bounds import Bounds
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.cider.document_frequencies import (
    DocumentFrequencies,
    FrequencySource,
    df_parameter,
    df_signature,
)
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.encoder.encoder import Encoder, Floats, TokenStates, load_encoder, piece_states
from captious.text.ngrams import last_words_of, parents_of

LAYER = Bounds(0, 999, whole=True, with_most=True)  # an encoder has fewer, and says how many
DEFAULT_LAYER = 6  # of the encoder that ships; chosen on references alone, see the metric's page
Similarities = tuple[slice, IntArray, IntArray, Floats]


def uniform_weights(encoder: Encoder, marks: IntArray) -> FloatArray:
    """Return the weight 1 for every piece, 0 for the special ones of beginning and end."""
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
    """Return the inverse document frequency of each piece, as a logarithm.

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
    """Estimate the number of documents with each piece from those with each word.

    A piece of several words is in at most as many documents as these together.
    """
    single = parents_of(df.keys) == 0
    words = [df.vocabulary[word] for word in last_words_of(df.keys[single]).tolist()]
    pieces = encoder.pieces(words)
    times = np.repeat(df.counts[single], pieces.lengths)
    distinct, places = np.unique(pieces.owners * size + pieces.values, return_index=True)
    counts = np.bincount(distinct % size, times[places], minlength=size)
    return np.minimum(counts.astype(np.float64), df.documents)


@dataclass(frozen=True, slots=True)
class PreparedReferences:
    """The references' states, and weights of pieces: by the metric's rule, and uniform ones."""

    states: TokenStates
    weights: FloatArray
    uniform: FloatArray


@dataclass(frozen=True)
class BertScore(Metric):
    """Mean similarity of pieces, for the candidate's (precision) and the reference's (recall).

    The best reference counts, for each column by itself. As in the `bert-score` package, marks of
    beginning and end can be matched but have no weight, and an empty caption scores 0.
    """

    model: Encoder | str | Path | None = parameter(
        None, "an encoder's folder, or one of Hugging Face's by name, in place of what ships"
    )
    layer: int | None = parameter(
        None, "the encoder's layer; default: the last, or the one chosen for ours", bounds=LAYER
    )
    idf: bool = parameter(False, "whether to weight by inverse document frequency")
    df: FrequencySource = df_parameter()

    name = "bertscore"
    description = "greedy matching of contextual embeddings, F1 (Zhang et al., 2020)"
    english = "its encoder"
    language_free_with = ("model",)

    @property
    def needs_whole_corpus(self) -> bool:
        """Whether pieces are weighted by document frequencies of the references."""
        return self.idf and self.df is None

    def prepare(self, references: References) -> PreparedReferences:
        """Encode the references and weigh their pieces."""
        encoder = load_encoder(self.model)
        states = piece_states(references.analysis, encoder, resolve_layer(encoder, self.layer))
        uniform = uniform_weights(encoder, special_pieces(states))
        weights = idf_weights(encoder, references, states, self.df) if self.idf else uniform
        return PreparedReferences(states, weights, uniform)

    def statistics(self, samples: Samples, prepared: PreparedReferences) -> FloatArray:
        """The best F1, precision and recall over the references."""
        encoder = load_encoder(self.model)
        candidates = piece_states(samples.candidates, encoder, resolve_layer(encoder, self.layer))
        candidate_weights, reference_weights = (
            _normalize_weights(pieces, prepared.weights, prepared.uniform)
            for pieces in (candidates.pieces, prepared.states.pieces)
        )
        scores = np.zeros((len(samples), 3))
        with threadpool_limits(1, "blas"):
            similarities = _similarities(samples, candidates, prepared.states)
            for sample, (rows, places, starts, similarity) in enumerate(similarities):
                best = np.maximum.reduceat(similarity, starts, axis=1).astype(np.float64)
                precision = (best * candidate_weights[rows, None]).sum(axis=0)
                best = similarity.max(axis=0).astype(np.float64)
                recall = np.add.reduceat(best * reference_weights[places], starts)
                # Without weight on one side there is nothing to compare.
                has_weight = candidate_weights[rows].any() & np.logical_or.reduceat(
                    reference_weights[places] > 0, starts
                )
                precision, recall = (
                    np.where(has_weight, np.clip(part, 0.0, 1.0), 0.0)
                    for part in (precision, recall)
                )
                total = precision + recall
                f1 = 2 * precision * recall / np.where(total > 0, total, 1.0)
                scores[sample] = f1.max(), precision.max(), recall.max()
        return mean_statistics(scores)

    def depends_on(self) -> dict[str, Any]:
        """Model, layer and weights."""
        encoder = load_encoder(self.model)
        return {
            "model": Resource(encoder.name, encoder.fingerprint),
            "layer": resolve_layer(encoder, self.layer),
            "df": df_signature(self.df),
        }


def resolve_layer(encoder: Encoder, layer: int | None) -> int:
    """Return the layer, by default the one chosen for the shipped encoder, or the last."""
    shipped = load_encoder(None)
    return encoder.resolve_layer(DEFAULT_LAYER if layer is None and encoder is shipped else layer)


def _normalize_weights(pieces: Ragged, weights: FloatArray, uniform: FloatArray) -> FloatArray:
    """Return each piece's share of its caption's weight; equal shares if all weights are 0."""
    owners = pieces.owners
    weight = weights[pieces.values]
    totals = np.bincount(owners, weight, minlength=len(pieces))
    weight = np.where((totals > 0)[owners], weight, uniform[pieces.values])
    totals = np.bincount(owners, weight, minlength=len(pieces))
    shares: FloatArray = weight / np.where(totals > 0, totals, 1.0)[owners]
    return shares


def _similarities(
    samples: Samples, candidates: TokenStates, references: TokenStates
) -> Iterator[Similarities]:
    """Yield each sample's pieces, its references' pieces, where these begin, and all cosines."""
    offsets = candidates.pieces.offsets
    all_places = Ragged(np.arange(len(references.pieces.values)), references.pieces.offsets)
    for sample, row in enumerate(samples.rows.tolist()):
        pairs = samples.pairs.values[
            samples.pairs.offsets[sample] : samples.pairs.offsets[sample + 1]
        ]
        places = all_places.take(pairs)
        rows = slice(int(offsets[row]), int(offsets[row + 1]))
        similarity = candidates.states[rows] @ references.states[places.values].T
        yield rows, places.values, places.offsets[:-1], similarity
