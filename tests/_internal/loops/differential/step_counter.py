"""Step counter compared with a count in one line."""

from collections.abc import Sequence
from typing import ClassVar

import pytest

from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops, plain_loops

LIMIT = plain_loops()["step_counter"].MAX_UNCHECKED_STEPS


class StepCounterTrial(Trial):
    """Steps below the limit, at the limit, and many at once."""

    loops = ("step_counter",)
    boundaries: ClassVar = {"checks": (0, 1)}

    def short(self) -> Sequence[list[int]]:
        return [[0, 1, LIMIT - 2, 1, 5], [LIMIT - 1, 1, LIMIT, 1], [LIMIT // 2] * 9]

    def long(self) -> Sequence[list[int]]:
        return [[LIMIT + 1, 1 << 40, 1]]

    def answer(self, loops: Loops, problem: list[int]) -> list[int]:
        module = loops["step_counter"]
        calls: list[int] = []
        counter, answers = module.StepCounter(), []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "let_interrupts_in", lambda: calls.append(1))
            for steps in problem:
                counter.count(steps)
                answers.append(len(calls))
        return answers

    def check(self, problem: list[int], answer: list[int]) -> None:
        unchecked = checks = 0
        for steps, expected in zip(problem, answer, strict=True):
            unchecked += steps
            if unchecked >= LIMIT:
                unchecked, checks = 0, checks + 1
            assert expected == checks

    def sizes(self, problem: list[int]) -> list[dict[str, int]]:
        return [{"checks": sum(problem) // LIMIT}]
