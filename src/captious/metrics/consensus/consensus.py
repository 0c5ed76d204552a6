"""Consensus: how near a candidate lies to what its references say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray, Ragged
from captious.metrics.base import Metric, averaged
from captious.metrics.consensus.vector_views import cosines
from captious.metrics.domains import Given, domain_parameter, named_domain
from captious.metrics.wordless import equal_without_words, unplaced
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.domain import space_of
from captious.text.vectors.caption_vectors import (
    CaptionPlaces,
    Vectors,
    caption_places,
    every_caption,
    sums_of,
    to_length_one,
)

MOST_IMAGES = 200_000  # whose centroids are kept; those of more are worked out when needed
IMAGES_AT_ONCE = 512  # bounds memory, changes nothing else


@dataclass(frozen=True)
class Consensus(Metric):
    """Cosine between a candidate and the centroid of its references, in a space of captions.

    A caption without a known word has no place: it scores 0 unless a reference says the very same,
    and as a reference it does not count.
    """

    domain: Given = domain_parameter()

    name = "consensus"
    columns = ("consensus",)
    description = "cosine to the references' centroid, in a space learned from captions"
    english = "its space of captions"
    english_unless = ("domain",)
    bounds = (-1.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        space_of(self.domain)  # a file that is no domain is said now, not after the work

    def prepare(self, references: References) -> Vectors | None:
        """The centroids of all images, if they are not too many to keep."""
        if len(references) > MOST_IMAGES:
            return None
        return self._centroids(references, references.rows)

    def statistics(self, samples: Samples, prepared: Vectors | None) -> FloatArray:
        """The score of each sample."""
        space = space_of(self.domain)
        candidates = every_caption(samples.candidates, space)
        if prepared is not None:
            beside = CaptionPlaces(prepared, samples.images)
        else:
            beside = CaptionPlaces.every(self._centroids(samples.references, samples.pairs))
        near = cosines(CaptionPlaces(candidates, samples.rows), beside)
        same = equal_without_words(samples, unplaced(samples, candidates))
        near[samples.pairs.owners[same]] = 1.0
        return averaged(near)

    def depends_on(self) -> dict[str, Any]:
        """The space."""
        if self.domain is not None:
            return named_domain(self.domain)
        vectors = space_of(None).vectors
        return {"space": Resource(vectors.name, vectors.fingerprint)}

    def _centroids(self, references: References, rows: Ragged) -> Vectors:
        """One centroid for each row of references."""
        space = space_of(self.domain)
        parts = []
        for start in range(0, len(rows), IMAGES_AT_ONCE):
            some = rows.take(np.arange(start, min(start + IMAGES_AT_ONCE, len(rows))))
            places = caption_places(references.analysis, space, some.values)
            parts.append(to_length_one(sums_of(places.vectors, Ragged(places.rows, some.offsets))))
        return np.concatenate(parts)
