"""ROUGE-L as the toolkit's class."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.metrics.rouge_l import BETA, RougeL
from captious.pycocoevalcap.tokenized import TokenizedCaptions, tokenized_corpus
from captious.scorer import score

EMPTY = "\N{REPLACEMENT CHARACTER}"  # stands for the empty word that two spaces have between them
OTHER_SPACE = re.compile(r"[\t-\r\x1c-\x1f]")


@check_arguments
def my_lcs(string: Sequence[Hashable], sub: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence of two lists of words."""
    numbers: dict[Hashable, int] = {}
    try:
        first, second = (
            [numbers.setdefault(word, len(numbers)) for word in words] for words in (string, sub)
        )
    except (TypeError, ValueError):
        raise InputError("two lists of words") from None
    lengths = [0] * (len(second) + 1)
    for word in first:
        diagonal = 0
        for place, other in enumerate(second, 1):
            above = lengths[place]
            lengths[place] = diagonal + 1 if word == other else max(above, lengths[place - 1])
            diagonal = above
    return lengths[-1]


class Rouge:
    """ROUGE-L; `beta` says how much more recall counts than precision."""

    def __init__(self) -> None:
        self.beta = BETA

    @check_arguments
    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """The score of one candidate, given as a list of one."""
        return float(self.compute_score({0: refs}, {0: candidate})[0])

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each."""
        corpus = tokenized_corpus(gts, res)
        references = replace(
            corpus.references, captions=[*map(_single_spaced, corpus.references.captions)]
        )
        candidates = [*map(_single_spaced, corpus.candidates)]
        corpus = replace(corpus, candidates=candidates, references=references)
        result = score(corpus, metrics=[RougeL(beta=self.beta)], tokenizer="whitespace")
        return np.float64(result.corpus["rouge_l"]), result.samples["rouge_l"]

    def method(self) -> str:
        """The metric's name."""
        return "Rouge"


def _single_spaced(caption: str) -> str:
    """A caption that has, split at white space, the words that the toolkit's ROUGE-L has.

    It splits at single spaces: between two of them stands an empty word, and a tab is a letter.
    """
    if "  " in caption or caption.strip(" ") != caption or OTHER_SPACE.search(caption):
        words = OTHER_SPACE.sub(EMPTY, caption).split(" ")
        return " ".join(word or EMPTY for word in words)
    return caption
