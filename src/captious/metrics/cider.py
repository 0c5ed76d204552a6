"""CIDEr: consensus of n-grams weighted by how rare they are (the original, not CIDEr-D)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from captious.errors import CaptiousWarning, InputError
from captious.metrics.base import Metric, averaged
from captious.metrics.document_frequencies import DocumentFrequencies, count_documents
from captious.metrics.ngram_matches import ngram_matches, reference_bags
from captious.ragged import FloatArray, IntArray
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER

ORDERS = range(1, MAX_ORDER + 1)
FEW_IMAGES = 100


@dataclass(frozen=True, slots=True)
class TfIdf:
    """The references' n-gram weights, and the length of each reference's vector, by order."""

    frequencies: DocumentFrequencies | None
    log_documents: float
    weights: tuple[FloatArray, ...]
    norms: tuple[FloatArray, ...]

    def rarity(self, counts: IntArray) -> FloatArray:
        """The weight of n-grams that occur in so many documents; unknown ones count as one."""
        weight: FloatArray = self.log_documents - np.log(np.maximum(1.0, counts))
        return weight

    @classmethod
    def of(cls, references: References, frequencies: DocumentFrequencies | None) -> TfIdf:
        """Weigh all references."""
        if frequencies is None:
            documents, counts = len(references), count_documents(references)
        else:
            documents, counts = frequencies.documents, frequencies.lookup(references.analysis)
        bare = cls(frequencies, float(np.log(documents)), (), ())
        weights = tuple(map(bare.rarity, counts))
        norms = []
        for n, weight in zip(ORDERS, weights, strict=True):
            bags = reference_bags(references, n)
            squares = (bags.counts * weight[bags.ngrams.values]) ** 2
            rows = len(bags.ngrams)
            norms.append(np.sqrt(np.bincount(bags.ngrams.owners, squares, minlength=rows)))
        return cls(frequencies, bare.log_documents, weights, tuple(norms))

    def cosines(self, samples: Samples, n: int, clip: bool) -> FloatArray:
        """The cosine of each pair of candidate and reference for each order up to n, (n, pairs).

        With `clip`, a candidate's n-gram weighs at most what it weighs in the reference.
        """
        pairs = samples.pairs
        cosines = np.zeros((n, len(pairs.values)))
        for order in range(1, n + 1):
            matches = ngram_matches(samples, order)
            weight = self._weights_of(samples.candidates, order, matches.ngram)
            squares = (matches.count * weight) ** 2
            norm = np.sqrt(np.bincount(matches.sample, squares, minlength=len(samples)))
            candidate = (matches.count * weight)[matches.entry]
            reference = matches.reference_count * weight[matches.entry]
            product = (np.minimum(candidate, reference) if clip else candidate) * reference
            dot = np.bincount(matches.pair, product, minlength=len(pairs.values))
            length = norm[pairs.owners] * self.norms[order - 1][pairs.values]
            cosines[order - 1] = dot / np.where(length > 0, length, 1.0)
        return cosines

    def _weights_of(self, candidates: Analysis, n: int, ngrams: IntArray) -> FloatArray:
        """The weights of the candidates' n-grams, which the references may have or not."""
        known = self.weights[n - 1]
        in_references = ngrams < len(known)
        weights = np.full(len(ngrams), self.log_documents)
        weights[in_references] = known[ngrams[in_references]]
        if self.frequencies is not None:
            new = self.rarity(self.frequencies.lookup(candidates)[n - 1])
            weights[~in_references] = new[ngrams[~in_references] - len(known)]
        return weights


def mean_over_pairs(samples: Samples, similarities: FloatArray) -> FloatArray:
    """Ten times the mean over orders and references of what each pair has for each order."""
    owners = samples.pairs.owners
    sums = np.bincount(owners, similarities.sum(axis=0), minlength=len(samples))
    return 10.0 * sums / len(similarities) / samples.pairs.lengths


@dataclass(frozen=True)
class Cider(Metric):
    """Mean cosine of the candidate's and the references' n-gram vectors, times ten.

    n-grams of one to `n` words count. `df` says where document frequencies come from: nothing for
    the references themselves, a shipped name (`coco-val2014`), a file that `captious df` made, or a
    DocumentFrequencies.
    """

    df: DocumentFrequencies | str | Path | None = None
    n: int = MAX_ORDER

    name = "cider"
    columns = ("cider",)
    description = "cosine of tf-idf n-gram vectors (Vedantam et al., 2015)"
    bounds = (0.0, 10.0)

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MAX_ORDER:
            raise InputError(f"{self.name}: n must lie between 1 and {MAX_ORDER}, not {self.n}")
        self.frequencies()  # a name that means nothing is said now, not after the work

    def frequencies(self) -> DocumentFrequencies | None:
        """The document frequencies that were asked for, loaded; nothing for the references' own."""
        if self.df is None or isinstance(self.df, DocumentFrequencies):
            return self.df
        return DocumentFrequencies.load(self.df)

    def prepare(self, references: References) -> TfIdf:
        """The references as vectors, once for both kinds of CIDEr."""
        frequencies = self.frequencies()
        if frequencies is None and len(references) < FEW_IMAGES:
            warnings.warn(
                f"{self.name}: document frequencies from {len(references)} image(s) say little "
                "(one image alone always scores 0); take shipped ones: df coco-val2014",
                CaptiousWarning,
                stacklevel=2,
            )
        key = "own" if frequencies is None else frequencies.fingerprint
        return references.once(("tf-idf", key), lambda: TfIdf.of(references, frequencies))

    def statistics(self, samples: Samples, prepared: TfIdf) -> FloatArray:
        """The score of each sample."""
        return averaged(mean_over_pairs(samples, prepared.cosines(samples, self.n, clip=False)))

    def signature(self) -> str:
        """The source of the document frequencies."""
        frequencies = self.frequencies()
        source = f"{frequencies.name}@{frequencies.fingerprint}" if frequencies else "references"
        return f"{self.name}(n={self.n},df={source})"
