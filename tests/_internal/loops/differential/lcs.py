"""Longest common subsequences beside those of dynamic programming, cell by cell."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from captious.metrics.rouge_l import lcs_of_pairs
from captious.text.tokens import Tokens
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.drawn import (
    LENGTHS,
    LONG,
    SHORT,
    Sample,
    Words,
    as_samples,
    pairs_of,
    samples_of,
)
from tests._internal.loops.uncompiled import Loops, in_use


class Lcs(Trial):
    """Blocks of 63 words of the candidate, with a carry from each to the next."""

    loops = ("lcs",)
    boundaries: ClassVar = {
        "candidate's words": (0, 63, 126, 1000),
        "reference's words": (0, 63, 126, 1000),
    }

    def short(self) -> Sequence[list[Sample]]:
        return [samples_of((*SHORT, 64))]

    def long(self) -> Sequence[list[Sample]]:
        return [samples_of(LENGTHS, seed=seed) for seed in range(3)] + [samples_of(LONG)]

    def answer(self, loops: Loops, problem: list[Sample]) -> list[int]:
        samples = as_samples(problem)
        texts = samples.candidates, samples.references.analysis
        with in_use(loops):
            lengths = lcs_of_pairs(samples, *(text.layer(Tokens) for text in texts))
        return list(map(int, lengths))

    def check(self, problem: list[Sample], answer: list[int]) -> None:
        assert answer == [by_definition(*pair) for pair in pairs_of(problem)]

    def sizes(self, problem: list[Sample]) -> list[dict[str, int]]:
        return [
            {"candidate's words": len(mine), "reference's words": len(theirs)}
            for mine, theirs in pairs_of(problem)
        ]


def by_definition(mine: Words, theirs: Words) -> int:
    """One row of cells after another, each the best of its neighbours."""
    others = np.array(theirs, object)
    row = np.zeros(len(theirs) + 1, np.int64)
    for word in mine:
        diagonal = np.where(others == word, row[:-1] + 1, 0)
        row[1:] = np.maximum.accumulate(np.maximum(row[1:], diagonal))
    return int(row[-1])
