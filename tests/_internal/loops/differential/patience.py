"""Interrupts beside those of a count in one line."""

from collections.abc import Sequence
from typing import ClassVar

import pytest

from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops, plain_loops

STRETCH = plain_loops()["patience"].STRETCH


class PatienceTrial(Trial):
    """Steps below a stretch, a whole one, many at once."""

    loops = ("patience",)
    boundaries: ClassVar = {"stretches": (0, 1)}

    def short(self) -> Sequence[list[int]]:
        return [[0, 1, STRETCH - 2, 1, 5], [STRETCH - 1, 1, STRETCH, 1], [STRETCH // 2] * 9]

    def long(self) -> Sequence[list[int]]:
        return [[STRETCH + 1, 1 << 40, 1]]

    def answer(self, loops: Loops, problem: list[int]) -> list[int]:
        module = loops["patience"]
        let_in: list[int] = []
        patience, answers = module.Patience(), []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "let_interrupts_in", lambda: let_in.append(1))
            for steps in problem:
                patience.spend(steps)
                answers.append(len(let_in))
        return answers

    def check(self, problem: list[int], answer: list[int]) -> None:
        spent = times = 0
        for steps, found in zip(problem, answer, strict=True):
            spent += steps
            if spent >= STRETCH:
                spent, times = 0, times + 1
            assert found == times

    def sizes(self, problem: list[int]) -> list[dict[str, int]]:
        return [{"stretches": sum(problem) // STRETCH}]
