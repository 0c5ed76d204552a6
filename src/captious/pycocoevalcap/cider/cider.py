"""CIDEr-D as the toolkit's class."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.metrics.cider.cider import CiderD
from captious.pycocoevalcap.cider.cider_scorer import CiderScorer
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized

__all__ = ["Cider", "CiderScorer"]


class Cider:
    """What the toolkit calls CIDEr; `test` and `refs` are ignored, as in the toolkit."""

    def __init__(
        self, test: object = None, refs: object = None, n: int = 4, sigma: float = 6.0
    ) -> None:
        self._metric = CiderD(n=n, sigma=sigma)

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each."""
        result = score_tokenized(gts, res, [self._metric])
        return np.float64(result.corpus["cider_d"]), result.samples["cider_d"]

    def method(self) -> str:
        """The metric's name."""
        return "CIDEr"
