"""Loops over words' vectors beside the same in matrices."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from captious._internal.arrays.ragged import Ragged, offsets_of
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.drawn import LENGTHS
from tests._internal.loops.uncompiled import Loops

WORDS = 2600  # that there are
REMEMBERED = 16  # pairs of words


@dataclass(frozen=True)
class Rows:
    """Captions as rows of a table of vectors, on two sides."""

    vectors: Any
    mine: Ragged
    theirs: Ragged


class MeanVectors(Trial):
    """Sums of captions of any length, and products of pairs of them."""

    loops = ("mean_vectors",)
    boundaries: ClassVar = {"words": (0, 63, 127, 1000)}

    def short(self) -> Sequence[Rows]:
        return [drawn((0, 1, 5, 2), 3)]

    def long(self) -> Sequence[Rows]:
        return [drawn((*LENGTHS, 2500), size) for size in (1, 8)]

    def answer(self, loops: Loops, problem: Rows) -> list[Any]:
        loop, weights = loops["mean_vectors"], _weights(problem.mine)
        sums = np.zeros((len(problem.mine), problem.vectors.shape[1]))
        loop.weighted_sums(
            problem.mine.values.data,
            weights.data,
            problem.mine.offsets.data,
            problem.vectors.data,
            sums.data,
        )
        rows, others = np.arange(len(sums)), np.arange(len(sums))[::-1].copy()
        products = np.zeros(len(sums))
        loop.paired_products(sums.data, rows.data, problem.vectors.data, others.data, products.data)
        return [sums.tolist(), products.tolist()]

    def check(self, problem: Rows, answer: list[Any]) -> None:
        weights, ends = _weights(problem.mine), problem.mine.offsets.tolist()
        expected = np.array(
            [weights[a:b] @ problem.vectors[problem.mine.values[a:b]] for a, b in pairwise(ends)]
        )
        np.testing.assert_allclose(answer[0], expected, atol=1e-9)
        others = problem.vectors[: len(expected)][::-1]
        np.testing.assert_allclose(answer[1], (expected * others).sum(axis=1), atol=1e-9)

    def sizes(self, problem: Rows) -> list[dict[str, int]]:
        return [{"words": length} for length in problem.mine.lengths.tolist()]


class Directions(Trial):
    """Vectors of any size, in single precision, and rows of any number of them."""

    loops = ("row_vectors",)
    boundaries: ClassVar = {"words": (0, 1, 63, 1000), "numbers a vector": (7, 8, 15)}

    def short(self) -> Sequence[Rows]:
        return [drawn((0, 1, 5, 2), size, words=12) for size in (1, 10)]

    def long(self) -> Sequence[Rows]:
        return [drawn((*LENGTHS, 2500), size) for size in (7, 8, 9, 16, 21)]

    def answer(self, loops: Loops, problem: Rows) -> list[Any]:
        loop, vectors = loops["row_vectors"], problem.vectors.astype(np.float32)
        sums = np.full((len(problem.mine), vectors.shape[1]), np.nan, np.float32)
        products = np.full(len(sums), np.nan)
        values, offsets = problem.mine.values, problem.mine.offsets
        loop.row_sums(vectors.data, values.data, offsets.data, sums.data)
        rows, others = np.arange(len(sums)), np.arange(len(sums))[::-1].copy()
        pairs = (sums.data, rows.data, vectors.data, others.data)
        loop.row_products(*pairs, products.data)
        return [sums.tolist(), products.tolist()]

    def check(self, problem: Rows, answer: list[Any]) -> None:
        vectors = problem.vectors.astype(np.float32)
        sums = np.zeros((len(problem.mine), vectors.shape[1]), np.float32)
        for row, (start, end) in enumerate(pairwise(problem.mine.offsets.tolist())):
            for word in problem.mine.values[start:end].tolist():
                sums[row] += vectors[word]
        others = vectors[: len(sums)][::-1]
        assert answer[0] == sums.tolist()
        products = np.einsum("ij,ij->i", sums, others, dtype=np.float64)
        np.testing.assert_allclose(answer[1], products, atol=1e-9)

    def sizes(self, problem: Rows) -> list[dict[str, int]]:
        size = problem.vectors.shape[1]
        return [
            {"words": length, "numbers a vector": size} for length in problem.mine.lengths.tolist()
        ]


class Support(Trial):
    """Words that both sides have, words of one side alone, sides without words."""

    loops = ("word_support",)
    boundaries: ClassVar = {
        "candidate's words": (0, 63, 127),
        "references' words": (0, 63, 127, 1000),
    }

    def short(self) -> Sequence[Rows]:
        return [drawn((0, 1, 2, 5, 9), 4, words=12)]

    def long(self) -> Sequence[Rows]:
        return [drawn(LENGTHS, 8, words=200), drawn((0, 40, 1001), 8)]

    def answer(self, loops: Loops, problem: Rows) -> list[Any]:
        sides = (problem.mine, problem.theirs)
        # Words are rows from the last to the first; few are remembered, so that some are forgotten.
        units, row_of = problem.vectors[::-1].copy(), np.arange(len(problem.vectors))[::-1].copy()
        best = [np.full(len(side.values), np.nan) for side in sides]
        loops["word_support"].word_support(
            units.data,
            row_of.data,
            *(each.data for side in sides for each in (side.values, side.offsets)),
            *(np.full(REMEMBERED, -1).data, np.full(REMEMBERED, np.nan).data),
            *(side.data for side in best),
        )
        return [side.tolist() for side in best]

    def check(self, problem: Rows, answer: list[Any]) -> None:
        ends = [side.offsets.tolist() for side in (problem.mine, problem.theirs)]
        for row in range(len(problem.mine)):
            (a, b), (c, d) = (several[row : row + 2] for several in ends)
            mine, theirs = problem.mine.values[a:b], problem.theirs.values[c:d]
            cosines = np.maximum(problem.vectors[mine] @ problem.vectors[theirs].T, 0)
            cosines[mine[:, None] == theirs[None]] = 1
            for side, found in ((1, answer[0][a:b]), (0, answer[1][c:d])):
                expected = cosines.max(axis=side, initial=0)
                np.testing.assert_allclose(found, expected, atol=1e-12)

    def sizes(self, problem: Rows) -> list[dict[str, int]]:
        sides = (problem.mine.lengths.tolist(), problem.theirs.lengths.tolist())
        return [
            {"candidate's words": mine, "references' words": theirs}
            for mine, theirs in zip(*sides, strict=True)
        ]


def drawn(lengths: Sequence[int], size: int, words: int = WORDS) -> Rows:
    """Rows of these lengths beside rows of these in another order; words ascend, none twice."""
    random = np.random.default_rng(size)
    vectors = random.standard_normal((words, size))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sides = []
    for several in (lengths, random.permutation(lengths).tolist()):
        rows = [np.sort(random.permutation(words)[:length]) for length in several]
        sides.append(Ragged(np.concatenate(rows), offsets_of(np.array([*map(len, rows)]))))
    return Rows(vectors, *sides)


def _weights(rows: Ragged) -> Any:
    return 1.0 / (1 + np.arange(len(rows.values)) % 7)
