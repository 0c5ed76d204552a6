"""BERTScore with combined references: recall of all that any reference mentions, once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from captious._internal.arrays.ragged import FloatArray, IntArray, offsets_of
from captious._internal.checks.bounds import SHARE
from captious.errors import InputError
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.bertscore.bertscore import (
    LAYER,
    idf_weights,
    resolve_layer,
    special_pieces,
    uniform_weights,
)
from captious.metrics.cider.document_frequencies import FrequencySource, df_parameter, df_signature
from captious.metrics.parameters import PAPER, RELEASED, parameter, variant_parameter
from captious.metrics.pooling import (
    BEST,
    CONCATENATED,
    combine_on_each_base,
    combine_references,
    pooling_parameter,
)
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.encoder.encoder import Encoder, TokenStates, load_encoder, piece_states
from captious.text.english import ENGLISH

MAX_PIECES_PER_IMAGE = 1 << 14  # a matrix of their similarities takes a gigabyte
# The threshold of each layer of the encoder that ships, from the one below the first on; chosen on
# training captions alone, as its layer was: see the metric's page.
BETAS = {
    PAPER: (0.6, 0.7, 0.75, 0.75, 0.6, 0.65, 0.55),
    RELEASED: (0.0, 0.1, 0.1, 0.05, 0.0, 0.0, 0.0),
}
Rows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PieceSets:
    """An image's references as one or more sets of pieces: numbers, vectors, where each begins."""

    pieces: IntArray
    vectors: IntArray  # rows of the references' states
    starts: IntArray  # and, last, the end


def build_piece_sets(
    states: TokenStates, rows: tuple[int, ...], pooling: str, beta: float, variant: str
) -> PieceSets:
    """Build the sets of an image's references; marks of beginning and end are left out."""
    offsets = states.pieces.offsets
    inner = [np.arange(offsets[row] + 1, offsets[row + 1] - 1) for row in rows]
    places = np.concatenate(inner)
    if pooling == BEST:
        sets = [(part, part) for part in inner]
    elif pooling == CONCATENATED or len(rows) == 1:
        sets = [(places, places)]
    elif len(places) > MAX_PIECES_PER_IMAGE:
        raise InputError(
            f"bertscore_multiref: an image's {len(rows):,} references have {len(places):,} pieces "
            f"of words, and at most {MAX_PIECES_PER_IMAGE:,} are combined; give fewer, or "
            "pooling='best'"
        )
    else:
        starts = offsets_of(np.array([len(part) for part in inner])).tolist()
        vectors = states.states[places]
        similarity = vectors @ vectors.T
        if variant == PAPER:
            kept = places[combine_references(similarity, starts, beta)]
            sets = [(kept, kept)]
        else:
            combined = combine_on_each_base(similarity, starts, beta)
            sets = [
                _combine_as_released(places[base], places[added], int(offsets[row + 1]) - 1)
                for row, (base, added) in zip(rows, combined, strict=True)
            ]
    return PieceSets(
        states.pieces.values[np.concatenate([pieces for pieces, _ in sets])],
        np.concatenate([vectors for _, vectors in sets]),
        offsets_of(np.array([len(pieces) for pieces, _ in sets])),
    )


def _combine_as_released(base: IntArray, added: IntArray, end: int) -> tuple[IntArray, IntArray]:
    """Combine a base's pieces and added ones, with the vectors that the authors' code uses.

    It takes the vector one place before an added piece, and puts these after the base's mark of
    the end: the first added piece gets that mark's vector, each further one its predecessor's.
    """
    vectors = np.concatenate([base, [end], added - 1])[: len(base) + len(added)]
    return np.concatenate([base, added]), vectors


@dataclass(frozen=True, slots=True)
class PreparedSets:
    """The references' states, every image's sets, weights of pieces, and which are stop words."""

    states: TokenStates
    sets: dict[Rows, PieceSets]
    weights: FloatArray
    is_stop: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class BertScoreMultiref(Metric):
    """Recall of the combined references: R_comb times R_rm.

    `beta` is the similarity above which two pieces match (T in the paper's ablation; 0 for no
    threshold), `pooling` says how several references become one (B: `combined`; `concatenated`; or
    `best`, the best one alone), and `remove_stop_words` whether the recall without stop words is
    multiplied in (R).
    """

    model: Encoder | str | Path | None = parameter(
        None, "an encoder's folder, or one of Hugging Face's by name, in place of what ships"
    )
    layer: int | None = parameter(
        None, "the encoder's layer; default: the last, or the one chosen for ours", bounds=LAYER
    )
    beta: float | None = parameter(
        None, "the cosine above which two word pieces match", bounds=SHARE
    )
    pooling: str = pooling_parameter()
    remove_stop_words: bool = parameter(True, "also multiply by the recall without stop words")
    df: FrequencySource = df_parameter()
    variant: str = variant_parameter()

    name = "bertscore_multiref"
    description = "recall of combined references by contextual embeddings (Yi et al., 2020)"
    english = "its encoder and stop words"
    language_free_with = ("model", "remove_stop_words")

    @property
    def needs_whole_corpus(self) -> bool:
        """Whether pieces are weighted by document frequencies of the references."""
        return self.df is None

    def threshold(self, encoder: Encoder) -> float:
        """The similarity above which two pieces match."""
        if self.beta is not None:
            return float(self.beta)
        if encoder is not load_encoder(None):
            raise InputError(
                f"{self.name}: beta depends on the model and is known for the one that ships; "
                f"give one for {encoder.name} (the paper: 0.4 for BERT-base, 0.83 for "
                "RoBERTa-large)"
            )
        return BETAS[self.variant][resolve_layer(encoder, self.layer)]

    def prepare(self, references: References) -> PreparedSets:
        """Encode the references and make sets of them."""
        encoder = load_encoder(self.model)
        beta = self.threshold(encoder)
        states = piece_states(references.analysis, encoder, resolve_layer(encoder, self.layer))
        with threadpool_limits(1, "blas"):
            sets = {
                rows: build_piece_sets(states, rows, self.pooling, beta, self.variant)
                for rows in dict.fromkeys(references.rows.to_tuples())
            }
        weights = idf_weights(
            encoder, references, states, self.df, smoothed=self.variant == RELEASED
        )
        stops = [is_stop_piece(piece) for piece in encoder.piece_names()]
        is_stop = np.array(stops) | (uniform_weights(encoder, special_pieces(states)) == 0)
        return PreparedSets(states, sets, weights, is_stop)

    def statistics(self, samples: Samples, prepared: PreparedSets) -> FloatArray:
        """The product of both recalls, of the only set, the best or the mean over bases."""
        encoder = load_encoder(self.model)
        beta = self.threshold(encoder)
        candidates = piece_states(samples.candidates, encoder, resolve_layer(encoder, self.layer))
        sets = [prepared.sets[rows] for rows in samples.pairs.to_tuples()]
        with threadpool_limits(1, "blas"):
            matches = list(_best_matches(samples, candidates, sets, prepared))
        best, best_content = np.concatenate(matches, axis=1, dtype=np.float64)
        lengths = np.concatenate([np.diff(piece_set.starts) for piece_set in sets])
        pieces = np.concatenate([piece_set.pieces for piece_set in sets])
        owners = np.repeat(np.arange(len(lengths)), lengths)
        count = len(lengths)
        recall = _weighted_recall(best, beta, prepared.weights[pieces], owners, count)
        if self.remove_stop_words:
            content = ~prepared.is_stop[pieces]
            recall *= self._content_recall(best, best_content, beta, content, owners, count)
        set_counts = np.array([len(piece_set.starts) - 1 for piece_set in sets])
        if self.pooling == BEST:
            return mean_statistics(np.maximum.reduceat(recall, offsets_of(set_counts)[:-1]))
        sample = np.repeat(np.arange(len(sets)), set_counts)
        return mean_statistics(np.bincount(sample, recall, minlength=len(sets)) / set_counts)

    def _content_recall(
        self,
        best: FloatArray,
        best_content: FloatArray,
        beta: float,
        content: npt.NDArray[np.bool_],
        owners: IntArray,
        count: int,
    ) -> FloatArray:
        """R_rm: recall without stop words, on either side."""
        if self.variant == PAPER:
            # References of nothing but stop words: better these than nothing.
            has_no_content = np.bincount(owners, content, minlength=count) == 0
            best_content = np.where(has_no_content[owners], best, best_content)
            content = content | has_no_content[owners]
        matched = content & (best_content > beta)
        counted = content if self.variant == PAPER else matched
        total = np.bincount(owners, best_content * matched, minlength=count)
        number = np.bincount(owners, counted, minlength=count)
        recall: FloatArray = np.minimum(total / np.maximum(number, 1), 1.0)
        return recall

    def depends_on(self) -> dict[str, Any]:
        """Model, layer, threshold, weights and stop words."""
        encoder = load_encoder(self.model)
        return {
            "model": Resource(encoder.name, encoder.fingerprint),
            "layer": resolve_layer(encoder, self.layer),
            "beta": self.threshold(encoder),
            "df": df_signature(self.df),
            "stop_words": ENGLISH.stop_words_name if self.remove_stop_words else "kept",
        }


def is_stop_piece(piece: str) -> bool:
    """Whether a piece is a stop word or has neither letter nor figure."""
    return piece in ENGLISH.stop_words or not any(letter.isalnum() for letter in piece)


def _best_matches(
    samples: Samples, candidates: TokenStates, sets: list[PieceSets], prepared: PreparedSets
) -> Iterator[FloatArray]:
    """For every piece of a sample's sets, its similarity to the best piece, and to content."""
    offsets = candidates.pieces.offsets.tolist()
    for row, combined in zip(samples.rows.tolist(), sets, strict=True):
        inner = slice(offsets[row] + 1, offsets[row + 1] - 1)
        content = np.flatnonzero(~prepared.is_stop[candidates.pieces.values[inner]])
        similarity = prepared.states.states[combined.vectors] @ candidates.states[inner].T
        yield np.stack(
            [
                similarity.max(axis=1, initial=0.0),
                similarity[:, content].max(axis=1, initial=0.0),
            ]
        )


def _weighted_recall(
    best: FloatArray, beta: float, weights: FloatArray, owners: IntArray, count: int
) -> FloatArray:
    """R_comb: mean similarity of the pieces that are matched, rare ones weighing more."""
    # Where all pieces weigh nothing, they weigh alike.
    weights = np.where((np.bincount(owners, weights, count) > 0)[owners], weights, 1.0)
    weights = weights * (best > beta)
    total = np.bincount(owners, weights, count)
    recall: FloatArray = np.bincount(owners, weights * best, count) / np.where(total > 0, total, 1)
    return np.minimum(recall, 1.0)
