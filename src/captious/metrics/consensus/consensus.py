"""Consensus: cosine between a candidate and the centroid of its references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, Ragged
from captious.metrics.base import mean_statistics
from captious.metrics.consensus.caption_space import CaptionSpaceMetric, cosines
from captious.metrics.consensus.sentence_matching import score_by_sentence, short_images
from captious.metrics.wordless import equal_pairs_without_words, has_no_vector
from captious.samples import References, Samples
from captious.text.vectors.caption_vectors import (
    VectorRows,
    Vectors,
    all_caption_vectors,
    caption_vector_rows,
    normalize_in_place,
    sum_rows,
)

MAX_IMAGES_IN_MEMORY = 200_000  # with more, centroids are computed when needed
IMAGES_PER_BATCH = 512  # bounds memory, changes nothing else


@dataclass(frozen=True)
class Consensus(CaptionSpaceMetric):
    """Cosine between a candidate and the centroid of its references, in a space of captions.

    Captions of several sentences are compared sentence by sentence, both ways. A caption without a
    known word has no vector: it scores 0 unless a reference is equal to it, and as a reference it
    does not count.
    """

    name = "consensus"
    description = "cosine to the references' centroid, in a space learned from captions"
    bounds = (-1.0, 1.0)

    def prepare(self, references: References) -> Vectors | None:
        """Compute the centroids of images; None if they are too many.

        Images with a reference of several sentences are compared by sentence: theirs stay zeros.
        """
        short = short_images(references)
        if len(short) == len(references) or len(references) > MAX_IMAGES_IN_MEMORY:
            return self.all_centroids(references)
        centroids = np.zeros((len(references), self.load_space().dimensions), np.float32)
        if len(short):
            centroids[short] = self._centroids(references, references.rows.take(short))
        return centroids

    def all_centroids(self, references: References) -> Vectors | None:
        """Compute the centroids of all images; None if images are too many."""
        if len(references) > MAX_IMAGES_IN_MEMORY:
            return None
        return self._centroids(references, references.rows)

    def statistics(self, samples: Samples, prepared: Vectors | None) -> FloatArray:
        """The score of each sample."""

        def compute_cosines(block: Samples) -> FloatArray:
            is_whole = block.references is samples.references
            return self._cosines(block, prepared if is_whole else None)

        return mean_statistics(score_by_sentence(samples, self.load_space(), compute_cosines))

    def reference_centroids(self, samples: Samples, prepared: Vectors | None) -> VectorRows:
        """The centroid of each sample's references, at length one."""
        if prepared is not None:
            return VectorRows(prepared, samples.images)
        return VectorRows.every(self._centroids(samples.references, samples.pairs))

    def _cosines(self, samples: Samples, prepared: Vectors | None) -> FloatArray:
        """Return the cosine of each whole candidate to its references' centroid."""
        space, analysis, rows = self.load_space(), samples.candidates, samples.rows
        candidates = all_caption_vectors(analysis, space)
        if prepared is not None:
            consensus = cosines(
                VectorRows(candidates, rows), self.reference_centroids(samples, prepared)
            )
        else:
            consensus = np.empty(len(samples))
            for block, centroids in self._centroid_blocks(samples.references, samples.pairs):
                consensus[block] = cosines(
                    VectorRows(candidates, rows[block]), VectorRows.every(centroids)
                )
        is_wordless = analysis.get_or_compute(
            ("has no vector", space.signature), lambda: has_no_vector(samples, candidates)
        )
        same = equal_pairs_without_words(samples, is_wordless)
        consensus[samples.pairs.owners[same]] = 1.0
        return consensus

    def _centroids(self, references: References, rows: Ragged) -> Vectors:
        """One centroid for each row of references."""
        return np.concatenate([block for _, block in self._centroid_blocks(references, rows)])

    def _centroid_blocks(
        self, references: References, rows: Ragged
    ) -> Iterator[tuple[slice, Vectors]]:
        """Yield the centroids of some rows at a time, and which rows these are."""
        space = self.load_space()
        for start in range(0, len(rows), IMAGES_PER_BATCH):
            end = min(start + IMAGES_PER_BATCH, len(rows))
            block = rows.take(np.arange(start, end))
            places = caption_vector_rows(references.analysis, space, block.values)
            sums = sum_rows(places.vectors, Ragged(places.rows, block.offsets))
            yield slice(start, end), normalize_in_place(sums)
