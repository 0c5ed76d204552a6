"""ROUGE-L as the toolkit's class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.checks.arguments import checked
from captious.metrics.rouge_l import RougeL
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized


class Rouge:
    """ROUGE-L."""

    @checked
    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """The score of one candidate, given as a list of one."""
        return float(self.compute_score({0: refs}, {0: candidate})[0])

    @checked
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each."""
        result = score_tokenized(gts, res, [RougeL()])
        return np.float64(result.corpus["rouge_l"]), result.samples["rouge_l"]

    def method(self) -> str:
        """The metric's name."""
        return "Rouge"
