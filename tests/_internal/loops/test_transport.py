"""Least costs of transport against other solvers, and compiled against uncompiled."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from captious._internal.loops import transport
from tests._internal.loops.uncompiled import uncompiled

PLAIN = uncompiled(transport)
SETTINGS = settings(max_examples=150, deadline=None)
# The solver's own default takes a cost below 1e-7 for none, and a plan for the best too soon.
EXACT = {"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10}
# One cost, smaller than that: the least cost of all is 0, around it.
TINY = (
    np.diag([0.0] * 6 + [2.0**-24]),
    np.array([8] * 7),
    np.array([7] * 6 + [14]),
)


def solve(
    module: ModuleType, costs: np.ndarray, supply: np.ndarray, demand: np.ndarray
) -> tuple[float, float]:
    """The bound and the least cost of a problem whose masses have the same sum."""
    n, m = costs.shape
    problem = module.Transport(n, m, n * m)
    for room, values in (
        (problem.supply, supply),
        (problem.demand, demand),
        (problem.costs, costs.ravel()),
    ):
        for place, value in enumerate(values.tolist()):
            room[place] = value
    return problem.bound(n, m), problem.solve(n, m)


def by_linear_programming(costs: np.ndarray, supply: np.ndarray, demand: np.ndarray) -> float:
    linprog = pytest.importorskip("scipy.optimize").linprog
    n, m = costs.shape
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    done = linprog(
        costs.ravel(),
        A_eq=np.vstack([rows, columns]),
        b_eq=[*supply, *demand],
        options=EXACT,
    )
    assert done.status == 0
    return float(done.fun)


@st.composite
def problems(draw: Callable[..., Any], most: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Costs and masses; whole costs make ties, equal masses make degenerate plans."""
    n, m = draw(st.integers(1, most)), draw(st.integers(1, most))
    numbers = draw(st.sampled_from([st.integers(0, 3).map(float), st.floats(0, 2, width=32)]))
    costs = draw(st.lists(numbers, min_size=n * m, max_size=n * m))
    masses = st.integers(1, 1) if draw(st.booleans()) else st.integers(1, 50)
    supply = np.array(draw(st.lists(masses, min_size=n, max_size=n)))
    demand = np.array(draw(st.lists(masses, min_size=m, max_size=m)))
    return np.array(costs).reshape(n, m), supply * demand.sum(), demand * supply.sum()


@pytest.mark.slow
@SETTINGS
@given(problems())
@example(TINY)
def test_least_cost_is_that_of_linear_programming(
    problem: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    bound, cost = solve(transport, *problem)
    whole = problem[1].sum()
    assert cost / whole == pytest.approx(by_linear_programming(*problem) / whole, abs=1e-9)
    assert bound <= cost + 1e-9 * whole


@pytest.mark.slow
@SETTINGS
@given(problems())
def test_compiled_and_uncompiled_agree_to_the_last_bit(
    problem: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    assert solve(transport, *problem) == solve(PLAIN, *problem)


@pytest.mark.slow
@SETTINGS
@given(problems(most=4))
def test_equal_single_masses_are_an_assignment(
    problem: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    costs = problem[0][: min(problem[0].shape), : min(problem[0].shape)]
    size = len(costs)
    ones = np.ones(size, np.int64)
    best = min(
        sum(costs[i, j] for i, j in enumerate(order))
        for order in itertools.permutations(range(size))
    )
    assert solve(transport, costs, ones, ones)[1] == pytest.approx(best, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 9), (9, 1), (8, 8), (40, 70), (150, 150)])
def test_costs_match_pot(n: int, m: int) -> None:
    ot = pytest.importorskip("ot")
    random = np.random.default_rng(n * m)
    a, b = random.standard_normal((n, 20)), random.standard_normal((m, 20))
    costs = np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2))
    supply, demand = random.integers(1, 9, n), random.integers(1, 9, m)
    supply, demand = supply * demand.sum(), demand * supply.sum()
    whole = supply.sum()
    expected = ot.emd2(supply / whole, demand / whole, costs)
    assert solve(transport, costs, supply, demand)[1] / whole == pytest.approx(expected, abs=1e-9)


def test_costs_that_round_badly_terminate() -> None:
    costs = np.array([[1e16, 1.0, 1e-16], [1.0, 1e16, 3.0], [0.1, 0.2, 0.3 - 1e-17]])
    masses = np.array([10**9 + 7, 1, 10**6])
    _, cost = solve(transport, costs, masses, masses[::-1].copy())
    assert cost == pytest.approx(by_linear_programming(costs, masses, masses[::-1]), rel=1e-9)
