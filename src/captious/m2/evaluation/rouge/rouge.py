"""ROUGE-L."""

from __future__ import annotations

from captious.pycocoevalcap.rouge import rouge
from captious.pycocoevalcap.rouge.rouge import my_lcs

__all__ = ["Rouge", "my_lcs"]


class Rouge(rouge.Rouge):
    """ROUGE-L."""

    def __str__(self) -> str:
        return "ROUGE"
