"""Projective trees beside those that are kept with all their heads at every stretch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from captious.text.parser.network import best_projective
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops, in_use


def drawn(lengths: Sequence[int], seed: int = 0) -> list[Any]:
    """Scores of arcs, all different and with many that are equal, of three sentences a length."""
    random = np.random.default_rng(seed)
    problems = []
    for length in lengths:
        shape = (3, length, length + 1)
        problems.append(random.normal(size=shape).astype(np.float32))
        problems.append(random.integers(0, 3, shape).astype(np.float32))
    return problems


class Projective(Trial):
    """Sentences of one word and more: nothing else is done at any length."""

    loops = ("projective",)
    boundaries: ClassVar = {"words": (1, 2, 59)}

    def short(self) -> Sequence[Any]:
        return drawn((1, 2, 3, 6))

    def long(self) -> Sequence[Any]:
        return drawn((4, 5, 12, 30, 60), seed=1)

    def answer(self, loops: Loops, problem: Any) -> list[list[int]]:
        with in_use(loops):
            heads: list[list[int]] = best_projective(problem).tolist()
        return heads

    def check(self, problem: Any, answer: list[list[int]]) -> None:
        assert answer == [with_heads(scores) for scores in problem]

    def sizes(self, problem: Any) -> list[dict[str, int]]:
        return [{"words": scores.shape[0]} for scores in problem]


def with_heads(scores: Any) -> list[int]:
    """The best half tree over every stretch, each kept with the heads that it gives its words."""
    length = len(scores)
    left = {(place, place): Half(0.0, {}) for place in range(length)}  # head at the left end
    right = dict(left)
    arc_left, arc_right = {}, {}
    for width in range(1, length):
        for start in range(length - width):
            end = start + width
            inner = best(left[start, cut] + right[cut + 1, end] for cut in range(start, end))
            arc_left[start, end] = inner.below(scores, end, start + 1)
            arc_right[start, end] = inner.below(scores, start, end + 1)
            left[start, end] = best(
                arc_left[start, cut] + left[cut, end] for cut in range(start + 1, end + 1)
            )
            right[start, end] = best(
                right[start, cut] + arc_right[cut, end] for cut in range(start, end)
            )
    whole = best(
        Half(0.0, {}).below(scores, top, 0) + right[0, top] + left[top, length - 1]
        for top in range(length)
    )
    return [whole.heads[word] for word in range(length)]


@dataclass(frozen=True)
class Half:
    """Some words' heads and the sum of their scores."""

    total: float
    heads: dict[int, int]

    def __add__(self, other: Half) -> Half:
        return Half(self.total + other.total, self.heads | other.heads)

    def below(self, scores: Any, word: int, head: int) -> Half:
        """The same with one more word below a head."""
        return Half(self.total + float(scores[word, head]), self.heads | {word: head})


def best(halves: Iterable[Half]) -> Half:
    """The first of those with the highest total."""
    return max(halves, key=lambda half: half.total)
