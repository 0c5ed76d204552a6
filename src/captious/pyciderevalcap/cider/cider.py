"""Plain CIDEr as pyciderevalcap's class."""

from __future__ import annotations

from captious._internal.checks.arguments import check_arguments
from captious.metrics.cider.document_frequencies import FrequencySource
from captious.pyciderevalcap.cider.cider_scorer import CiderScorer
from captious.pyciderevalcap.ciderD.ciderD import CiderD
from captious.pyciderevalcap.frequencies import CORPUS


class Cider(CiderD):
    """CIDEr of results given as a list, in which an image may occur several times."""

    @check_arguments
    def __init__(self, n: int = 4, df: FrequencySource = CORPUS) -> None:
        self.cider_scorer = CiderScorer(n=n, df_mode=df)

    def method(self) -> str:
        """The metric's name."""
        return "CIDEr"
