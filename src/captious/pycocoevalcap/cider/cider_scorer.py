"""CIDEr-D of captions added one by one."""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.metrics.cider.cider import Cider, CiderD
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.pycocoevalcap.bleu.bleu_scorer import Ngram
from captious.pycocoevalcap.bleu.bleu_scorer import precook as words_and_counts
from captious.scorer import score

Self = TypeVar("Self", bound="CiderScorer")
Counts = Mapping[Ngram, float] | DocumentFrequencies


class NgramCounts(dict[Ngram, int]):
    """How often each n-gram of a caption occurs, 0 where it does not; it remembers the caption."""

    caption: str

    def __missing__(self, ngram: Ngram) -> int:
        return 0


@check_arguments
def precook(s: str, n: int = 4, out: bool = False) -> NgramCounts:
    """How often each n-gram of a caption occurs."""
    counts = NgramCounts(words_and_counts(s, n)[1])
    counts.caption = s
    return counts


@check_arguments
def cook_refs(refs: Sequence[str], n: int = 4) -> list[NgramCounts]:
    """How often each n-gram of each reference occurs."""
    if not len(refs):
        raise InputError("no references; give at least one")
    return [precook(reference, n) for reference in refs]


def cook_test(test: str, n: int = 4) -> NgramCounts:
    """How often each n-gram of a candidate occurs."""
    return precook(test, n)


class CiderScorer:
    """Captions added by `+= (candidate, references)`, then scored together."""

    @check_arguments
    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        self.n = n
        self.sigma = sigma
        self._metric(None)  # a wrong n or sigma is said now
        self.crefs: list[list[NgramCounts]] = []
        self.ctest: list[NgramCounts | None] = []
        self.document_frequency: Counts = defaultdict(float)
        self.ref_len: float | None = None  # the logarithm of the number of documents
        self.cook_append(test, refs)

    def copy(self: Self) -> Self:
        """Another scorer of the same captions."""
        new = type(self)(n=self.n)
        new.ctest, new.crefs = copy.copy(self.ctest), copy.copy(self.crefs)
        return new

    @check_arguments
    def cook_append(self, test: str | None, refs: Sequence[str] | None) -> None:
        """Add a candidate, or none, and its references."""
        if refs is not None:
            self.crefs.append(cook_refs(refs))
            self.ctest.append(None if test is None else cook_test(test))

    def __iadd__(self: Self, other: tuple[str | None, Sequence[str]] | CiderScorer) -> Self:
        if isinstance(other, tuple) and len(other) == 2:
            self.cook_append(*other)
        elif not isinstance(other, CiderScorer):
            raise InputError(
                "what is added is (candidate, references), or a CiderScorer, not "
                f"{short_repr(other)}"
            )
        else:
            self.ctest.extend(other.ctest)
            self.crefs.extend(other.crefs)
        return self

    def size(self) -> int:
        """The number of captions."""
        if len(self.crefs) != len(self.ctest):
            raise InputError(f"{len(self.crefs)} sets of references, {len(self.ctest)} candidates")
        return len(self.crefs)

    def compute_doc_freq(self) -> None:
        """Add to `document_frequency` the number of images whose references have each n-gram."""
        if not isinstance(self.document_frequency, defaultdict):
            raise InputError("document frequencies that were given cannot be added to")
        for references in self.crefs:
            for ngram in set(chain.from_iterable(references)):
                self.document_frequency[ngram] += 1

    def compute_cider(self) -> list[np.float64]:
        """The score of each caption, under `document_frequency`."""
        self.ref_len = np.log(float(len(self.crefs)))
        return list(self._scores())

    def compute_score(
        self, option: str | None = None, verbose: int = 0
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each, under their own frequencies."""
        self.document_frequency = defaultdict(float)
        self.compute_doc_freq()
        scores = np.array(self.compute_cider())
        return np.float64(scores.mean()), scores

    def frequencies(self) -> DocumentFrequencies:
        """The document frequencies as metrics take them."""
        if isinstance(self.document_frequency, DocumentFrequencies):
            return self.document_frequency
        if self.ref_len is None:
            raise InputError("ref_len, the logarithm of the number of documents, is not set")
        return DocumentFrequencies.of_counts(self.document_frequency, round(math.exp(self.ref_len)))

    def scores_of(
        self, candidates: Sequence[str], references: Sequence[Sequence[str]]
    ) -> FloatArray:
        """The score of each candidate against its references."""
        metric = self._metric(self.frequencies())
        result = score(
            list(candidates), [list(each) for each in references], [metric], tokenizer="whitespace"
        )
        return result.samples[metric.name]

    def _metric(self, frequencies: DocumentFrequencies | None) -> Cider:
        return CiderD(df=frequencies, n=self.n, sigma=self.sigma)

    def _scores(self) -> FloatArray:
        if not self.size():
            raise InputError("no captions were added: there is nothing to score")
        return self.scores_of(
            [_caption(candidate) for candidate in self.ctest],
            [[_caption(reference) for reference in references] for references in self.crefs],
        )


def _caption(cooked: Any) -> str:
    if not isinstance(cooked, NgramCounts):
        raise InputError(f"a caption as `precook` made it, not {short_repr(cooked)}")
    return cooked.caption
