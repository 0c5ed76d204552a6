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
from captious.metrics.base import Metric, averaged
from captious.metrics.bertscore.piece_weights import idf_weights, special_pieces, uniform_weights
from captious.metrics.cider.document_frequencies import FrequencySource, df_parameter, df_signature
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.encoder.encoded_captions import piece_states
from captious.text.encoder.encoder import Encoder, Floats, TokenStates, load_encoder

LAYER = Bounds(0, 999, whole=True, with_most=True)  # an encoder has fewer, and says how many
DEFAULT_LAYER = 6  # of the encoder that ships; chosen on references alone, see the metric's page


@dataclass(frozen=True, slots=True)
class PreparedReferences:
    """The references' states, and what pieces weigh: by the metric's rule, and all alike."""

    states: TokenStates
    weights: FloatArray
    even: FloatArray


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
    requires = ("onnxruntime",)
    columns = ("bertscore", "bertscore_precision", "bertscore_recall")
    description = "greedy matching of contextual embeddings, F1 (Zhang et al., 2020)"
    english = "its encoder"
    language_free_with = ("model",)

    @property
    def needs_whole_corpus(self) -> bool:
        """With weights of rarity that are counted in the references."""
        return self.idf and self.df is None

    def prepare(self, references: References) -> PreparedReferences:
        """Encode the references and weigh their pieces."""
        encoder = load_encoder(self.model)
        states = piece_states(references.analysis, encoder, layer_of(encoder, self.layer))
        even = uniform_weights(encoder, special_pieces(states))
        weights = idf_weights(encoder, references, states, self.df) if self.idf else even
        return PreparedReferences(states, weights, even)

    def statistics(self, samples: Samples, prepared: PreparedReferences) -> FloatArray:
        """The best F1, precision and recall over the references."""
        encoder = load_encoder(self.model)
        mine = piece_states(samples.candidates, encoder, layer_of(encoder, self.layer))
        my_weights, their_weights = (
            _normalize_weights(pieces, prepared.weights, prepared.even)
            for pieces in (mine.pieces, prepared.states.pieces)
        )
        scores = np.zeros((len(samples), 3))
        with threadpool_limits(1, "blas"):
            compared = _similarities(samples, mine, prepared.states)
            for sample, (rows, places, starts, similarity) in enumerate(compared):
                best = np.maximum.reduceat(similarity, starts, axis=1).astype(np.float64)
                precision = (best * my_weights[rows, None]).sum(axis=0)
                best = similarity.max(axis=0).astype(np.float64)
                recall = np.add.reduceat(best * their_weights[places], starts)
                # Without weight on one side there is nothing to compare.
                worded = my_weights[rows].any() & np.logical_or.reduceat(
                    their_weights[places] > 0, starts
                )
                precision, recall = (
                    np.where(worded, np.clip(part, 0.0, 1.0), 0.0) for part in (precision, recall)
                )
                total = precision + recall
                f1 = 2 * precision * recall / np.where(total > 0, total, 1.0)
                scores[sample] = f1.max(), precision.max(), recall.max()
        return averaged(scores)

    def depends_on(self) -> dict[str, Any]:
        """Model, layer and weights."""
        encoder = load_encoder(self.model)
        return {
            "model": Resource(encoder.name, encoder.fingerprint),
            "layer": layer_of(encoder, self.layer),
            "df": df_signature(self.df),
        }


def layer_of(encoder: Encoder, layer: int | None) -> int:
    """The layer that was named; else the one chosen for the encoder that ships, or the last."""
    shipped = load_encoder(None)
    return encoder.resolve_layer(DEFAULT_LAYER if layer is None and encoder is shipped else layer)


def _normalize_weights(pieces: Ragged, weights: FloatArray, even: FloatArray) -> FloatArray:
    """Each piece's share of its caption's weight; where all weigh nothing, they weigh alike."""
    owners = pieces.owners
    weight = weights[pieces.values]
    totals = np.bincount(owners, weight, minlength=len(pieces))
    weight = np.where((totals > 0)[owners], weight, even[pieces.values])
    totals = np.bincount(owners, weight, minlength=len(pieces))
    shares: FloatArray = weight / np.where(totals > 0, totals, 1.0)[owners]
    return shares


Similarities = tuple[slice, IntArray, IntArray, Floats]


def _similarities(
    samples: Samples, mine: TokenStates, theirs: TokenStates
) -> Iterator[Similarities]:
    """For each sample: its pieces, its references' pieces, where each reference begins; cosines."""
    offsets = mine.pieces.offsets
    all_places = Ragged(np.arange(len(theirs.pieces.values)), theirs.pieces.offsets)
    for sample, row in enumerate(samples.rows.tolist()):
        pairs = samples.pairs.values[
            samples.pairs.offsets[sample] : samples.pairs.offsets[sample + 1]
        ]
        places = all_places.take(pairs)
        rows = slice(int(offsets[row]), int(offsets[row + 1]))
        similarity = mine.states[rows] @ theirs.states[places.values].T
        yield rows, places.values, places.offsets[:-1], similarity
