"""Encoder consensus: a candidate beside its references as vectors of a pretrained transformer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from captious.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.metrics.consensus.vector_views import LEAST_AGREEMENT, ReferenceViews, Views
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.encoder.encoded_captions import worded_vectors
from captious.text.encoder.encoder import encoder_named
from captious.text.vectors.caption_vectors import CaptionPlaces, Vectors

USUAL_AGREEMENT = 0.72  # of a reference that is alone: the median where there are four


@dataclass(frozen=True)
class EncoderConsensus(Metric):
    """Cosine to the references' centroid, to the nearest, and for references that agree so much.

    What `consensus` and two columns of `consensus_parts` are, with an encoder's vectors of whole
    captions in place of words' sums.
    """

    model: str | Path | None = parameter(
        None, "an encoder of Hugging Face's by name or folder, in place of the one that ships"
    )

    name = "encoder_consensus"
    requires = ("onnxruntime",)
    columns = ("encoder_consensus", "encoder_nearest", "encoder_relative")
    description = "cosine to the references' centroid, as an encoder places captions"
    english = "its encoder"
    english_unless = ("model",)
    bounds = (-1 / LEAST_AGREEMENT, 1 / LEAST_AGREEMENT)
    column_bounds: ClassVar[dict[str, tuple[float, float]]] = {
        "encoder_consensus": (-1.0, 1.0),
        "encoder_nearest": (-1.0, 1.0),
    }

    def prepare(self, references: References) -> ReferenceViews:
        """Encode the references."""
        vectors = self._vectors(references.analysis)
        return ReferenceViews.of(partial(CaptionPlaces, vectors), references.rows, USUAL_AGREEMENT)

    def statistics(self, samples: Samples, prepared: ReferenceViews) -> FloatArray:
        """The three numbers of each sample."""
        mine, theirs = self._vectors(samples.candidates), self._vectors(samples.references.analysis)
        together = CaptionPlaces(prepared.centroids, samples.images)
        views = Views.of(samples, mine, partial(CaptionPlaces, theirs), together)
        relative = views.centroid / prepared.agreement[samples.images]
        return averaged(views.centroid, views.nearest, relative)

    def _vectors(self, analysis: Analysis) -> Vectors:
        return worded_vectors(analysis, encoder_named(self.model))

    def depends_on(self) -> dict[str, Any]:
        """The encoder."""
        encoder = encoder_named(self.model)
        return {"model": Resource(encoder.name, encoder.fingerprint)}
