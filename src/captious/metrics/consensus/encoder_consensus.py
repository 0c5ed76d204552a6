"""Encoder consensus: cosine to the references' centroid, in a pretrained encoder's space."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious._internal.arrays.ragged import FloatArray, Ragged
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.consensus.caption_space import cosines
from captious.metrics.consensus.sentence_matching import score_by_sentence
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.encoder.encoder import load_encoder, sentence_vectors_or_zeros
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    VectorRows,
    Vectors,
    normalize_in_place,
    sum_rows,
)


@dataclass(frozen=True)
class EncoderConsensus(Metric):
    """`consensus` with an encoder's vectors of whole captions in place of sums of word vectors.

    Of captions of several sentences each sentence is encoded. Which sentence is nearest to which is
    found in the space of captions that ships.
    """

    model: str | Path | None = parameter(
        None, "an encoder of Hugging Face's by name or folder, in place of the one that ships"
    )

    name = "encoder_consensus"
    description = "cosine to the references' centroid, of a sentence encoder's embeddings"
    english = "its encoder"
    language_free_with = ("model",)
    bounds = (-1.0, 1.0)

    def prepare(self, references: References) -> Vectors:
        """Encode the references."""
        return self._centroids(references, references.rows)

    def statistics(self, samples: Samples, prepared: Vectors) -> FloatArray:
        """The score of each sample."""

        def compute_cosines(block: Samples) -> FloatArray:
            if block.references is samples.references:
                centroids = VectorRows(prepared, block.images)
            else:
                centroids = VectorRows.every(self._centroids(block.references, block.pairs))
            return cosines(VectorRows(self._vectors(block.candidates), block.rows), centroids)

        return mean_statistics(score_by_sentence(samples, CaptionSpace.load(), compute_cosines))

    def _centroids(self, references: References, rows: Ragged) -> Vectors:
        return normalize_in_place(sum_rows(self._vectors(references.analysis), rows))

    def _vectors(self, analysis: Analysis) -> Vectors:
        return sentence_vectors_or_zeros(analysis, load_encoder(self.model))

    def depends_on(self) -> dict[str, Any]:
        """The encoder."""
        encoder = load_encoder(self.model)
        return {"model": Resource(encoder.name, encoder.fingerprint)}
