"""Every loop: compiled as uncompiled, both as a plainer way, all of it reached, all boundaries."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from captious._internal.loops import LOOPS, is_compiled
from captious.metrics import rouge_l
from tests._internal.loops.boundaries import shares
from tests._internal.loops.branches import Branches
from tests._internal.loops.differential.every import TRIALS
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import in_use, plain_loops, usual_loops

each = pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: "-".join(trial.loops))


def test_every_loop_has_a_trial() -> None:
    assert sorted(name for trial in TRIALS for name in trial.loops) == sorted(LOOPS)


@pytest.mark.slow
@each
@pytest.mark.parametrize("drawn", ["short", pytest.param("long", marks=pytest.mark.slow)])
def test_results_are_right_and_the_same_compiled_or_not(trial: Trial, drawn: str) -> None:
    for problem in trial.short() if drawn == "short" else trial.long():
        plain = trial.answer(plain_loops(), problem)
        assert trial.answer(usual_loops(), problem) == plain
        trial.check(problem, plain)


@pytest.mark.slow
@each
@pytest.mark.skipif(sys.version_info < (3, 11), reason="conditions have no columns before 3.11")
def test_every_line_and_branch_is_reached(trial: Trial) -> None:
    branches = Branches(plain_loops()[name] for name in trial.loops)
    # From 3.13 on, a function's conditions are seen from its second call on.
    rounds = 2 if sys.version_info >= (3, 13) else 1
    with branches.watched():
        for problem in [*trial.short()] * rounds:
            trial.answer(plain_loops(), problem)
    assert branches.missed() == []


@each
def test_rows_are_drawn_beyond_every_boundary(trial: Trial) -> None:
    beyond = shares(trial)
    assert beyond
    assert [share for share in beyond if share.rows_beyond == 0] == []


def test_the_two_are_different_code() -> None:
    usual, plain = usual_loops(), plain_loops()
    assert not any(map(is_compiled, plain.values()))
    for name in LOOPS:
        if is_compiled(usual[name]):
            assert usual[name].__file__ != plain[name].__file__


def test_the_package_calls_the_loops_that_are_in_use() -> None:
    room: Any = rouge_l
    before = room.lcs_lengths
    with in_use(plain_loops()):
        assert room.lcs_lengths is plain_loops()["lcs"].lcs_lengths
    assert room.lcs_lengths is before


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 11), reason="instructions have no columns")
def test_branch_coverage_reports_what_is_not_reached() -> None:
    lcs = plain_loops()["lcs"]
    branches = Branches([lcs])
    assert branches.missed()
    with branches.watched():
        TRIALS[0].answer(plain_loops(), TRIALS[0].short()[0][:1])
    assert any("never True" in missed for missed in branches.missed())
