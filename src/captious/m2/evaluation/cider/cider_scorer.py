"""CIDEr-D of dicts of captions, under given document frequencies or their own."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.pycocoevalcap.cider import cider_scorer
from captious.pycocoevalcap.cider.cider_scorer import Counts, cook_refs, cook_test, precook
from captious.pycocoevalcap.tokenized import TokenizedCaptions, tokenized_corpus

__all__ = ["CiderScorer", "cook_refs", "cook_test", "precook"]


class CiderScorer(cider_scorer.CiderScorer):
    """References by image, perhaps with one candidate each."""

    @check_arguments
    def __init__(
        self,
        refs: TokenizedCaptions,
        test: TokenizedCaptions | None = None,
        n: int = 4,
        sigma: float = 6.0,
        doc_frequency: Counts | None = None,
        ref_len: float | None = None,
    ) -> None:
        super().__init__(n=n, sigma=sigma)
        if test is not None:
            tokenized_corpus(refs, test)
        for image, references in refs.items():
            self.cook_append(None if test is None else test[image][0], references)
        if doc_frequency is None and ref_len is None:
            self.compute_doc_freq()
            self.ref_len = np.log(float(len(self.crefs)))
        else:
            self.document_frequency = doc_frequency or {}
            self.ref_len = ref_len

    @property
    def doc_frequency(self) -> Counts:
        """The number of documents that have each n-gram."""
        return self.document_frequency

    def compute_cider(self) -> list[np.float64]:
        """The score of each caption."""
        return list(self._scores())

    def compute_score(
        self, option: str | None = None, verbose: int = 0
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each."""
        scores = np.array(self.compute_cider())
        return np.float64(scores.mean()), scores
