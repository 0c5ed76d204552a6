"""Plain CIDEr of captions added one by one."""

from __future__ import annotations

from captious.metrics.cider.cider import Cider
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.pyciderevalcap.ciderD import ciderD_scorer
from captious.pycocoevalcap.cider.cider_scorer import cook_refs, cook_test, precook

__all__ = ["CiderScorer", "cook_refs", "cook_test", "precook"]


class CiderScorer(ciderD_scorer.CiderScorer):
    """As CIDEr-D's, with neither clipping nor a penalty on length; `sigma` changes nothing."""

    def _metric(self, frequencies: DocumentFrequencies | None) -> Cider:
        return Cider(df=frequencies, n=self.n)
