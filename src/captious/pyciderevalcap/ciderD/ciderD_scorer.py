# ruff: noqa: N999 - the name by which it is imported
"""CIDEr-D of captions added one by one, with document frequencies that may come from a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.metrics.cider.document_frequencies import FrequencySource
from captious.pyciderevalcap.frequencies import CORPUS, load_frequencies
from captious.pycocoevalcap.cider import cider_scorer
from captious.pycocoevalcap.cider.cider_scorer import cook_refs, cook_test, precook

__all__ = ["CiderScorer", "cook_refs", "cook_test", "precook"]

Self = TypeVar("Self", bound="CiderScorer")


class CiderScorer(cider_scorer.CiderScorer):
    """Captions added by `+= (candidate, references)`, then scored together."""

    @check_arguments
    def __init__(
        self,
        df_mode: FrequencySource = CORPUS,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        super().__init__(test, refs, n, sigma)
        self.df_mode = df_mode
        frequencies = load_frequencies(df_mode)
        if frequencies is not None:
            self.document_frequency = frequencies
            self.ref_len = np.log(float(frequencies.documents))

    def copy_empty(self: Self) -> Self:
        """A scorer with the same document frequencies and no captions."""
        new = type(self)(n=self.n, sigma=self.sigma)
        new.df_mode, new.ref_len = self.df_mode, self.ref_len
        new.document_frequency = self.document_frequency
        return new

    def clear(self) -> None:
        """Forget all captions."""
        self.crefs, self.ctest = [], []

    def compute_cider(self) -> list[np.float64]:
        """The score of each caption, under `document_frequency`."""
        if self.df_mode == CORPUS:
            self.ref_len = np.log(float(len(self.crefs)))
        return list(self._scores())

    def compute_score(
        self, option: str | None = None, verbose: int = 0
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each."""
        if self.df_mode == CORPUS:
            self.document_frequency = defaultdict(float)
            self.compute_doc_freq()
        scores = np.array(self.compute_cider())
        return np.float64(scores.mean()), scores

    @check_arguments
    def my_get_cider(self, gts: Sequence[str], res: Sequence[str]) -> FloatArray:
        """The score of each candidate (a row) against each reference alone (a column)."""
        candidates = [candidate for candidate in res for _ in gts]
        references = [[reference] for _ in res for reference in gts]
        return self.scores_of(candidates, references).reshape(len(res), len(gts))

    def my_get_self_cider(self, res: Sequence[str]) -> FloatArray:
        """The score of each caption (a row) against each other one (a column)."""
        return self.my_get_cider(res, res)
