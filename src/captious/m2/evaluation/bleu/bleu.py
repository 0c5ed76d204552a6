"""BLEU, quietly."""

from __future__ import annotations

from captious.pycocoevalcap.bleu import bleu
from captious.pycocoevalcap.tokenized import TokenizedCaptions


class Bleu(bleu.Bleu):
    """BLEU-1 to BLEU-n."""

    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions, verbose: int = 0
    ) -> tuple[list[float], list[list[float]]]:
        """The corpus score of each order, and each order's scores of all captions."""
        return super().compute_score(gts, res, verbose)

    def __str__(self) -> str:
        return "BLEU"
