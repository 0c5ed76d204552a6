"""BLEU as the toolkit's class."""

from __future__ import annotations

from typing import Annotated

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Bounds
from captious.metrics.bleu import Bleu as BleuMetric
from captious.pycocoevalcap.bleu.bleu_scorer import BleuScorer, print_totals
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized

ORDERS = Bounds(1, len(BleuMetric.columns), whole=True, with_most=True)


class Bleu:
    """BLEU-1 to BLEU-n; n is at most 4."""

    @check_arguments
    def __init__(self, n: Annotated[int, ORDERS] = 4) -> None:
        self._n = n
        self.ref_for_image: dict[object, object] = {}  # never filled, as in the toolkit

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions, verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """The corpus score of each order, and each order's scores of all captions.

        `verbose` 1 prints summed counts and the ratio of lengths, 2 also each caption's.
        """
        result = score_tokenized(gts, res, [BleuMetric()])
        if verbose > 1:
            each = BleuScorer(n=self._n)
            for image, references in gts.items():
                each += (res[image][0], references)
            each.compute_score(option="closest", verbose=verbose)
        elif verbose > 0:
            print_totals(result.statistics["bleu"].sum(axis=0), self._n)
        columns = BleuMetric.columns[: self._n]
        return (
            [result.corpus[name] for name in columns],
            [result.samples[name].tolist() for name in columns],
        )

    def method(self) -> str:
        """The metric's name."""
        return "Bleu"
