"""Many systems over the same images: randomisations that the correction needs, and ranks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

import captious
from captious.comparison.leaderboard import Leaderboard
from captious.comparison.paired_systems import (
    LEVEL,
    enough_randomizations,
    min_randomizations,
    rank_intervals,
    ranks,
)
from captious.errors import CaptiousWarning
from captious.result import Result

IMAGES = 40


def number(candidate: str, references: Sequence[str]) -> float:
    """A metric whose score is what the caption says."""
    return float(candidate)


@cache
def systems(count: int) -> dict[str, Result]:
    """Pairs of systems that hardly differ, each pair clearly better than the next."""
    rng = np.random.default_rng(0)
    references = {image: ["0"] for image in range(IMAGES)}
    results = {}
    for system in range(count):
        scores = rng.normal(-(system // 2), 0.1, size=IMAGES)
        said = {image: f"{score:.6f}" for image, score in enumerate(scores)}
        results[f"s{system:02d}"] = captious.score(
            said, references, [number], tokenizer="whitespace", cache=False
        )
    return results


@pytest.fixture(scope="module")
def twelve() -> Leaderboard:
    return captious.leaderboard(systems(12))


@pytest.mark.parametrize("pairs", [1, 2, 50, 51, 55, 66, 190, 4950])
def test_enough_randomizations_leave_a_significant_p_value(pairs: int) -> None:
    assert pairs / (enough_randomizations(pairs) + 1) < LEVEL
    if pairs > 1:  # of one pair there is no correction
        assert pairs / (min_randomizations(pairs) + 1) < LEVEL
        assert pairs / min_randomizations(pairs) >= LEVEL


def test_letters_separate_twelve_systems(twelve: Leaderboard) -> None:
    letters = [each.letters for each in twelve.standings]
    assert letters == [letter for letter in "abcdef" for _ in range(2)]
    assert (twelve.resamples, twelve.randomisations) == (1000, 2000)


def test_footnotes_state_the_randomizations(twelve: Leaderboard) -> None:
    for format in ("text", "markdown", "latex"):
        assert "paired randomization, 2,000 draws" in " ".join(twelve.to_text(format).split())
    assert all("|bootstrap:1000,seed=0,randomisations=2000|" in each for each in twelve.signatures)
    assert twelve.to_dict()["test"]["randomisations"] == 2000


def test_footnotes_say_that_nothing_can_be_significant() -> None:
    with pytest.warns(CaptiousWarning, match="at least 1320 resamples"):
        board = captious.leaderboard(systems(12), resamples=1000)
    assert {each.letters for each in board.standings} == {"a"}
    for format in ("text", "markdown", "latex"):
        assert "take at least 1320 resamples" in " ".join(board.to_text(format).split())
    assert board.to_dict()["test"]["can_be_significant"] is False


def test_p_values_of_many_systems_are_those_of_all_draws(twelve: Leaderboard) -> None:
    """Draws after the first thousand are left out only where they cannot change a letter."""
    whole = captious.leaderboard(systems(12), resamples=2000)
    assert [each.letters for each in whole.standings] == [each.letters for each in twelve.standings]
    for ours, theirs in zip(twelve.differences, whole.differences, strict=True):
        p, of_all = ours.rows[0].p_randomisation, theirs.rows[0].p_randomisation
        if p < LEVEL:
            assert p == of_all
        else:
            assert p == pytest.approx(of_all, abs=0.06)


def test_equal_systems_are_never_significant() -> None:
    first = next(iter(systems(12).values()))
    board = captious.leaderboard({f"s{each}": first for each in range(12)})
    assert {each.letters for each in board.standings} == {"a"}
    assert {row.p_randomisation for each in board.differences for row in each.rows} == {1.0}


@pytest.mark.slow
def test_forty_systems_take_seconds() -> None:
    start = time.process_time()
    board = captious.leaderboard(systems(40))
    assert time.process_time() - start < 60
    assert board.randomisations == 16_000


def test_equal_scores_share_a_rank_and_the_unknown_is_last() -> None:
    assert ranks(np.array([0.5, 0.7, 0.5, 0.1])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([0.5, np.nan, 0.7])).tolist() == [2, 3, 1]
    assert ranks(np.array([0.3, 0.1 + 0.2])).tolist() == [1, 1]
    assert ranks(np.array([1e-300, 2e-300, -1e100])).tolist() == [2, 1, 3]
    assert ranks(np.array([1.0, 2e-13, 1e-13])).tolist() == [1, 2, 3]
    assert ranks(np.array([4e-20, 2e-20])).tolist() == [1, 2]


def test_rank_intervals_are_quantiles_of_the_ranks_in_resamples() -> None:
    rng = np.random.default_rng(0)
    draws = rng.normal([[0.0], [0.2], [5.0]], 1, size=(3, 2000))
    by_hand = np.array([1 + (draws > row).sum(axis=0) for row in draws])
    assert (ranks(draws) == by_hand).all()
    assert rank_intervals(draws) == [(2, 3), (2, 3), (1, 1)]
    assert rank_intervals(draws[:, :1]) == [(rank, rank) for rank in by_hand[:, 0]]
