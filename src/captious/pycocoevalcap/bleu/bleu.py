"""BLEU as the toolkit's class."""

from __future__ import annotations

from typing import Annotated

from captious.checks.arguments import checked
from captious.checks.bounds import Bounds
from captious.metrics.bleu import Bleu as BleuMetric
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized

ORDERS = Bounds(1, len(BleuMetric.columns), whole=True, with_most=True)


class Bleu:
    """BLEU-1 to BLEU-n; n is at most 4."""

    @checked
    def __init__(self, n: Annotated[int, ORDERS] = 4) -> None:
        self._columns = BleuMetric.columns[:n]

    @checked
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions, verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """The corpus score of each order, and each order's scores of all captions."""
        result = score_tokenized(gts, res, [BleuMetric()])
        return (
            [result.corpus[name] for name in self._columns],
            [result.samples[name].tolist() for name in self._columns],
        )

    def method(self) -> str:
        """The metric's name."""
        return "Bleu"
