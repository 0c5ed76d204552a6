"""Word mover's distance as the class that forks of coco-caption have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.metrics.wmd import Wmd
from captious.pycocoevalcap.tokenized import (
    TokenizedCaptions,
    check_ids,
    score_tokenized,
    sorted_ids,
)
from captious.text.english import ENGLISH


class WMD:
    """exp(-d / sigma), d the word mover's distance to the nearest reference.

    The forks read Google's 3 GB of word2vec; here the vectors that ship are taken, or a file that
    `captious vectors` made.
    """

    @check_arguments
    def __init__(self, vectors: str | Path | None = None) -> None:
        self._metric = Wmd(vectors=vectors)
        self.model = self._metric.table()
        self.stop_words = set(ENGLISH.stop_words)
        self.sigma = 1.0

    @check_arguments
    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """The score of one candidate, given as a list of one."""
        return float(self.compute_score({0: refs}, {0: candidate})[0])

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, FloatArray]:
        """The mean, and the score of each caption, in the order of sorted ids."""
        check_ids(gts, res)
        ordered = {image: gts[image] for image in sorted_ids(gts)}
        scores = score_tokenized(ordered, res, [self._metric]).samples["wmd"] ** (1 / self.sigma)
        return np.float64(scores.mean()), scores

    def method(self) -> str:
        """The metric's name."""
        return "WMD"
