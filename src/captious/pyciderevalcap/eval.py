"""CIDErEvalCap: plain CIDEr and CIDEr-D of results, from captions that are not tokenized yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.metrics.cider.document_frequencies import FrequencySource
from captious.pyciderevalcap.cider.cider import Cider
from captious.pyciderevalcap.ciderD.ciderD import CiderD
from captious.pyciderevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from captious.pycocoevalcap.console import print_line

__all__ = ["CIDErEvalCap", "Cider", "CiderD", "PTBTokenizer"]


class CIDErEvalCap:
    """Both kinds of CIDEr under one choice of document frequencies."""

    @check_arguments
    def __init__(
        self,
        gts: Mapping[Any, Sequence[Mapping[str, Any]]],
        res: Sequence[Mapping[str, Any]],
        df: FrequencySource,
    ) -> None:
        print_line("tokenization...")
        self.gts = PTBTokenizer("gts").tokenize(gts)
        print_line("tokenized refs")
        self.res = PTBTokenizer("res").tokenize(res)
        print_line("tokenized cands")
        self.df = df

    def evaluate(self) -> dict[str, list[float]]:
        """The scores of all results, by metric."""
        print_line("setting up scorers...")
        scorers: list[tuple[CiderD, str]] = [
            (Cider(df=self.df), "CIDEr"),
            (CiderD(df=self.df), "CIDErD"),
        ]
        scores_by_metric = {}
        for scorer, name in scorers:
            print_line(f"computing {scorer.method()} score...")
            mean, scores = scorer.compute_score(self.gts, self.res)
            print_line(f"Mean {name} score: {mean:0.3f}")
            scores_by_metric[name] = list(scores)
        return scores_by_metric
