"""CIDEr and CIDEr-D: cosines of tf-idf vectors of n-grams.

CIDEr-D is what the COCO toolkit calls CIDEr: made hard to game by clipping and a length penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.bounds import Bounds
from captious.errors import warn
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.cider.document_frequencies import (
    MIN_RELIABLE_IMAGES,
    DocumentFrequencies,
    FrequencySource,
    df_parameter,
    df_signature,
    document_counts,
    load_frequencies,
    shipped_names,
)
from captious.metrics.ngram_matches import ngram_matches
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER, Ngrams

SIGMA = 6.0  # bigrams


def length_penalty(samples: Samples, sigma: float = SIGMA) -> FloatArray:
    """Return the Gaussian penalty of each pair of candidate and reference, from 0 to 1."""
    # The toolkit measures length in bigrams, so that captions of one word and none are alike.
    candidate = np.maximum(samples.candidate_lengths - 1, 0)[samples.pairs.owners]
    difference = candidate - np.maximum(samples.reference_lengths - 1, 0)
    penalty: FloatArray = np.exp(-(difference.astype(np.float64) ** 2) / (2 * sigma**2))
    return penalty


@dataclass(frozen=True, slots=True)
class TfIdf:
    """The weights of the references' n-grams, and the length of each reference's vectors."""

    frequencies: DocumentFrequencies | None
    log_documents: float
    weights: FloatArray  # by node
    norms: FloatArray  # one row a caption, one column an order

    @classmethod
    def of(cls, references: References, frequencies: DocumentFrequencies | None) -> TfIdf:
        """Compute the tf-idf vectors of all references."""
        ngrams = references.analysis.layer(Ngrams)
        if frequencies is None:
            documents, counts = len(references.documents), document_counts(references)
        else:
            documents = frequencies.documents
            counts = np.concatenate([[0], frequencies.lookup(references.analysis)])
        log_documents = float(np.log(documents))
        weights = idf_weights(log_documents, counts)
        components = ngrams.counts * weights[ngrams.nodes.values]
        norms = _norms(ngrams.nodes.owners, components, len(ngrams.nodes) // MAX_ORDER)
        return cls(frequencies, log_documents, weights, norms)

    def cosines(self, samples: Samples, n: int, clip: bool) -> FloatArray:
        """The cosine of each pair of candidate and reference, one column an order up to n.

        With `clip`, a candidate's n-gram weighs at most what it weighs in the reference.
        """
        matches, pairs = ngram_matches(samples), samples.pairs
        weight = self._weights_of(samples.candidates, matches.node)
        candidate = matches.count * weight
        norms = _norms(matches.sample * MAX_ORDER + matches.order, candidate, len(samples))
        candidate_weights = candidate[matches.entry]
        reference_weights = matches.reference_count * weight[matches.entry]
        product = (
            np.minimum(candidate_weights, reference_weights) if clip else candidate_weights
        ) * reference_weights
        place = matches.pair.astype(np.int64) * MAX_ORDER + matches.order[matches.entry]
        dots = np.bincount(place, product, minlength=len(pairs.values) * MAX_ORDER)
        lengths = norms[pairs.owners] * self.norms[pairs.values]
        cosines: FloatArray = dots.reshape(-1, MAX_ORDER) / np.where(lengths > 0, lengths, 1.0)
        return cosines[:, :n]

    def _weights_of(self, candidates: Analysis, nodes: IntArray) -> FloatArray:
        """The weights of the candidates' n-grams, which the references may have or not."""
        known = nodes < len(self.weights)
        weights = np.full(len(nodes), self.log_documents)
        weights[known] = self.weights[nodes[known]]
        if self.frequencies is not None:
            new = idf_weights(self.log_documents, self.frequencies.lookup(candidates))
            weights[~known] = new[nodes[~known] - len(self.weights)]
        return weights


def idf_weights(log_documents: float, counts: IntArray) -> FloatArray:
    """Return the idf weight of n-grams by their document counts; unknown ones count as 1."""
    weights: FloatArray = log_documents - np.log(np.maximum(1.0, counts))
    return weights


def _norms(row: IntArray, components: FloatArray, captions: int) -> FloatArray:
    """Return the norm of each caption's vector of each order, from components and their rows."""
    squares = np.bincount(row, components**2, minlength=captions * MAX_ORDER)
    return np.sqrt(squares).reshape(captions, MAX_ORDER)


def _mean_over_pairs(samples: Samples, similarities: FloatArray) -> FloatArray:
    """Return ten times the mean over orders and references of the similarities of pairs."""
    means = similarities.mean(axis=1)
    sums = np.bincount(samples.pairs.owners, means, minlength=len(samples))
    return 10.0 * sums / samples.pairs.lengths


@dataclass(frozen=True)
class Cider(Metric):
    """Mean cosine of the candidate's and the references' n-gram vectors, times ten.

    n-grams of one to `n` words count. `df` says where document frequencies come from: nothing for
    the references themselves, a shipped name (`coco-val2014`), a file that `captious df` made, or a
    DocumentFrequencies.
    """

    df: FrequencySource = df_parameter()
    n: int = parameter(
        MAX_ORDER, "the longest n-grams", bounds=Bounds(1, MAX_ORDER, whole=True, with_most=True)
    )

    name = "cider"
    uses_document_frequencies = True
    description = "cosine of tf-idf n-gram vectors (Vedantam et al., 2015)"
    bounds = (0.0, 10.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.frequencies()  # fails early on an unknown name

    def english_part(self) -> str:
        """Return the shipped document frequencies, if used, as the part specific to English."""
        return f"the document frequencies {self.df}" if str(self.df) in shipped_names() else ""

    def frequencies(self) -> DocumentFrequencies | None:
        """Load the document frequencies; None for the references' own."""
        return load_frequencies(self.df)

    def prepare(self, references: References) -> TfIdf:
        """The references as vectors, once for both kinds of CIDEr."""
        frequencies = self.frequencies()
        documents = frequencies.documents if frequencies else len(references.documents)
        if documents < MIN_RELIABLE_IMAGES:
            warn(
                f"{self.name}: document frequencies from {documents} image(s) are "
                "unreliable (one image alone always scores 0); use those of more images: df "
                "coco-val2014 for English, or a file made by `captious df`"
            )
        key = "own" if frequencies is None else frequencies.fingerprint
        return references.get_or_compute(("tf-idf", key), lambda: TfIdf.of(references, frequencies))

    def similarities(self, samples: Samples, prepared: TfIdf) -> FloatArray:
        """Return the cosine of each pair of candidate and reference, one column an order."""
        return prepared.cosines(samples, self.n, clip=False)

    def statistics(self, samples: Samples, prepared: TfIdf) -> FloatArray:
        """The score of each sample."""
        return mean_statistics(_mean_over_pairs(samples, self.similarities(samples, prepared)))

    def depends_on(self) -> dict[str, Any]:
        """The source of the document frequencies."""
        return {"df": df_signature(self.df)}


@dataclass(frozen=True)
class CiderD(Cider):
    """CIDEr with weights clipped to the reference's and a Gaussian penalty on length."""

    # Within these bounds, twice the square is a number that can be divided by.
    sigma: float = parameter(
        SIGMA, "the width of the length penalty", bounds=Bounds(1e-6, 1e6, with_most=True)
    )

    name = "cider_d"
    description = "CIDEr with clipping and a length penalty; the toolkit's CIDEr"

    def similarities(self, samples: Samples, prepared: TfIdf) -> FloatArray:
        """Return the clipped cosine of each pair, times its length penalty."""
        penalty = length_penalty(samples, self.sigma)
        return prepared.cosines(samples, self.n, clip=True) * penalty[:, None]
