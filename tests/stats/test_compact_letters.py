"""Letters beside brute force: two share one if and only if nothing tells them apart."""

from __future__ import annotations

import time
from itertools import combinations, product

import numpy as np
import pytest

from captious.stats.compact_letters import indistinguishable_groups, letter_display


def matrices(size: int) -> list[np.ndarray]:
    """Every way in which some of so many can differ."""
    pairs = list(combinations(range(size), 2))
    found = []
    for choice in product([False, True], repeat=len(pairs)):
        apart = np.zeros((size, size), bool)
        for (a, b), differs in zip(pairs, choice, strict=True):
            apart[a, b] = apart[b, a] = differs
        found.append(apart)
    return found


def check(apart: np.ndarray) -> None:
    shown = letter_display(apart)
    for a, b in combinations(range(len(apart)), 2):
        assert bool(set(shown[a]) & set(shown[b])) != bool(apart[a, b]), (apart, shown)
    assert all(shown) and (not shown or "a" in shown[0])
    groups = list(map(set, indistinguishable_groups(apart)))
    assert not any(one < other for one in groups for other in groups)


@pytest.mark.parametrize("size", range(6))
def test_every_way_to_differ(size: int) -> None:
    for apart in matrices(size):
        check(apart)


def test_many_at_random() -> None:
    rng = np.random.default_rng(0)
    for size, share in product((7, 9, 12), (0.1, 0.5, 0.9)):
        for _ in range(20):
            upper = np.triu(rng.random((size, size)) < share, 1)
            check(upper | upper.T)


def test_200_noisy_systems_take_less_than_a_second() -> None:
    rng = np.random.default_rng(0)
    strength = np.sort(rng.normal(size=200))[::-1]
    noise = rng.normal(scale=0.6, size=(200, 200))
    differs = np.abs(strength[:, None] - strength) + noise + noise.T > 1
    np.fill_diagonal(differs, False)
    start = time.process_time()
    shown = letter_display(differs)
    assert time.process_time() - start < 1
    assert all(shown)
    groups = indistinguishable_groups(differs)
    together = np.zeros_like(differs)
    for group in groups:
        together[np.ix_(group, group)] = True
    assert (together == ~differs).all()


def test_systems_in_a_row_have_one_letter_per_run_of_equals() -> None:
    """Where differences follow from strength alone, the sets are the runs that share a letter."""
    strength = np.arange(9)
    apart = np.abs(strength[:, None] - strength) > 2
    assert letter_display(apart) == ["a", "ab", "abc", "bcd", "cde", "def", "efg", "fg", "g"]
