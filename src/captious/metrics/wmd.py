"""Word mover's distance: the cost of moving a candidate's words to a reference's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.loops.mover import mover_distances
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.parameters import parameter
from captious.metrics.pooling import POOLS, pool_scores
from captious.metrics.wordless import equal_pairs_without_words
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.vectors.word_vectors import ContentWords, WordVectors

BLOCK = 4  # the loop takes so many numbers of a vector at once
LoopArguments = tuple[memoryview, memoryview, memoryview, memoryview, memoryview, memoryview]


@dataclass(frozen=True)
class Wmd(Metric):
    """exp(-d), where d is the word mover's distance to the nearest reference.

    Stop words and words without a vector are left out; words weigh by their share of the caption;
    the distance of two words is the Euclidean distance of their vectors at unit length. `vectors`
    names a file to use in place of the vectors that ship.
    """

    vectors: str | Path | None = parameter(
        None, "word vectors made by `captious vectors`, or the name of those that ship"
    )
    pool: str = parameter("max", "how scores against several references are pooled", choices=POOLS)

    name = "wmd"
    description = "word mover's distance d between content words, as exp(-d) (Kusner et al., 2015)"
    english = "its word vectors"
    language_free_with = ("vectors",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.table()  # fails early on a file without vectors

    def table(self) -> WordVectors:
        """Load the word vectors."""
        return WordVectors.load(self.vectors)

    def prepare(self, references: References) -> WordVectors:
        """The references' words and their vectors."""
        table = self.table()
        _unit_vectors(references.analysis, table)
        return table

    def statistics(self, samples: Samples, prepared: WordVectors) -> FloatArray:
        """The score of each sample."""
        distances = self.distances(samples, prepared)
        scores = np.exp(-distances)
        is_wordless = ContentWords.of(samples.candidates, prepared).totals == 0
        scores[equal_pairs_without_words(samples, is_wordless)] = 1.0
        return mean_statistics(pool_scores(scores, samples.pairs.offsets, self.pool))

    def distances(self, samples: Samples, table: WordVectors) -> FloatArray:
        """The distance of each pair; infinite where a caption has no words.

        Where only the nearest reference counts, it is infinite too where a bound shows that another
        one is nearer.
        """
        analyses = (samples.candidates, samples.references.analysis)
        candidates, references = (ContentWords.of(analysis, table) for analysis in analyses)
        candidate_lengths = candidates.words.lengths_at(samples.rows)[samples.pairs.owners]
        reference_lengths = references.words.lengths_at(samples.pairs.values)
        longest_candidate, longest_reference = (
            int(several.max(initial=0)) for several in (candidate_lengths, reference_lengths)
        )
        distances = np.zeros(len(samples.pairs.values))
        mover_distances(
            *_loop_arguments(candidates, _unit_vectors(samples.candidates, table)),
            *_loop_arguments(references, _unit_vectors(samples.references.analysis, table)),
            samples.rows.data,
            samples.pairs.values.data,
            samples.pairs.offsets.data,
            self.pool == "max",
            longest_candidate,
            longest_reference,
            int((candidate_lengths * reference_lengths).max(initial=0)),
            np.zeros(longest_candidate, np.int64).data,
            np.zeros(longest_reference, np.int64).data,
            distances.data,
        )
        return distances

    def depends_on(self) -> dict[str, Any]:
        """The vectors, and the stop words that are left out."""
        table = self.table()
        vectors = Resource.of(self.vectors, table.name, table.fingerprint)
        return {"vectors": vectors, "stop_words": ENGLISH.stop_words_name}


def _loop_arguments(content: ContentWords, units: FloatArray) -> LoopArguments:
    words = content.words
    return (
        units.data,
        content.names.data,
        words.values.data,
        content.counts.data,
        words.offsets.data,
        content.totals.data,
    )


def _unit_vectors(analysis: Analysis, table: WordVectors) -> FloatArray:
    """The vectors of an analysis at length one, filled up with zeros for the loop."""

    def scale() -> FloatArray:
        vectors = ContentWords.of(analysis, table).vectors
        units = np.zeros((len(vectors), -(-table.dimensions // BLOCK) * BLOCK))
        units[:, : table.dimensions] = vectors
        units /= np.sqrt((units**2).sum(axis=1, keepdims=True))
        return units

    return analysis.get_or_compute(("unit vectors", table.signature), scale)
