"""Mean of word embeddings (MOWE): cosine of the mean word vectors of two captions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious._internal.loops.mean_vectors import paired_products, weighted_sums
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.parameters import PAPER, parameter, variant_parameter
from captious.metrics.pooling import POOLS, pool_scores
from captious.metrics.wordless import equal_pairs_without_words
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.vectors.word_vectors import ContentWords, WordVectors


@dataclass(frozen=True)
class Mowe(Metric):
    """Cosine of the candidate's mean vector and a reference's, best reference.

    The paper takes the mean over all words; the code that its authors released leaves stop words
    out. `vectors` names a file to use in place of the vectors that ship.
    """

    vectors: str | Path | None = parameter(
        None, "word vectors made by `captious vectors`, or the name of those that ship"
    )
    pool: str = parameter("max", "how scores against several references are pooled", choices=POOLS)
    variant: str = variant_parameter()

    name = "mowe"
    description = "cosine of mean word vectors (Sharif et al., 2019)"
    english = "its word vectors"
    language_free_with = ("vectors",)
    bounds = (-1.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.table()  # fails early on a file without vectors

    def table(self) -> WordVectors:
        """Load the word vectors."""
        return WordVectors.load(self.vectors)

    def prepare(self, references: References) -> WordVectors:
        """The references' mean vectors."""
        table = self.table()
        self._mean_vectors(references.analysis, table)
        return table

    def statistics(self, samples: Samples, prepared: WordVectors) -> FloatArray:
        """The score of each sample; -1 for a pair with a caption that has no mean vector."""
        candidates = self._mean_vectors(samples.candidates, prepared)
        references = self._mean_vectors(samples.references.analysis, prepared)
        rows, others = samples.rows[samples.pairs.owners], samples.pairs.values
        cosines = np.zeros(len(others))
        paired_products(candidates.data, rows.data, references.data, others.data, cosines.data)
        np.clip(cosines, *self.bounds, out=cosines)
        known = self._has_mean_vector(samples.candidates, prepared)[rows]
        known &= self._has_mean_vector(samples.references.analysis, prepared)[others]
        cosines[~known] = -1.0
        words = ContentWords.of(samples.candidates, prepared, self._keeps_stop_words)
        cosines[equal_pairs_without_words(samples, words.totals == 0)] = 1.0
        return mean_statistics(pool_scores(cosines, samples.pairs.offsets, self.pool))

    def depends_on(self) -> dict[str, Any]:
        """The vectors, and the stop words left out if any."""
        table = self.table()
        vectors = Resource.of(self.vectors, table.name, table.fingerprint)
        left_out = "kept" if self._keeps_stop_words else ENGLISH.stop_words_name
        return {"vectors": vectors, "stop_words": left_out}

    @property
    def _keeps_stop_words(self) -> bool:
        return self.variant == PAPER

    def _mean_vectors(self, analysis: Analysis, table: WordVectors) -> FloatArray:
        """The mean vector of each caption at length one; zeros where there is none."""

        def compute() -> FloatArray:
            content = ContentWords.of(analysis, table, self._keeps_stop_words)
            words = content.words
            sums = np.zeros((len(words), table.dimensions))
            weights = content.counts.astype(np.float64)
            weighted_sums(
                words.values.data, weights.data, words.offsets.data, content.vectors.data, sums.data
            )
            lengths = np.sqrt((sums**2).sum(axis=1, keepdims=True))
            return sums / np.where(lengths > 0, lengths, 1.0)

        return analysis.get_or_compute(
            ("mean vectors", table.signature, self._keeps_stop_words), compute
        )

    def _has_mean_vector(self, analysis: Analysis, table: WordVectors) -> npt.NDArray[np.bool_]:
        """Whether each caption has a mean vector that is not zero."""
        key = ("have mean vectors", table.signature, self._keeps_stop_words)
        return analysis.get_or_compute(
            key, lambda: np.asarray(self._mean_vectors(analysis, table).any(axis=1))
        )
