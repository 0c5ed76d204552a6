"""The meshed-memory transformer's `evaluation`: captions as text, metrics called by their names."""

from __future__ import annotations

from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.m2.evaluation.bleu import Bleu
from captious.m2.evaluation.cider import Cider
from captious.m2.evaluation.meteor import Meteor
from captious.m2.evaluation.rouge import Rouge
from captious.m2.evaluation.tokenizer import PTBTokenizer
from captious.pycocoevalcap.tokenized import TokenizedCaptions
from captious.samples import share_analysis

__all__ = ["Bleu", "Cider", "Meteor", "PTBTokenizer", "Rouge", "compute_scores"]


@check_arguments
def compute_scores(
    gts: TokenizedCaptions, gen: TokenizedCaptions
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Corpus scores and each caption's scores, by the names of the metrics."""
    metrics: tuple[Any, ...] = (Bleu(), Meteor(), Rouge(), Cider())
    with share_analysis():
        both = {str(metric): metric.compute_score(gts, gen) for metric in metrics}
    return (
        {name: score for name, (score, _) in both.items()},
        {name: scores for name, (_, scores) in both.items()},
    )
