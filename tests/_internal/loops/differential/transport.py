"""Least costs of transport beside those of linear programming."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops


@dataclass(frozen=True)
class Problem:
    """Costs and masses; the supplies' sum is the demands'."""

    costs: Any
    supply: Any
    demand: Any


class Transport(Trial):
    """Trees of pairs: one supply, one demand, ties in costs and in masses."""

    loops = ("transport",)
    boundaries: ClassVar = {"supplies": (1, 63, 127), "demands": (1, 63, 127)}

    def short(self) -> Sequence[Problem]:
        random = np.random.default_rng(0)
        sizes = [(1, 1), (1, 6), (6, 1), (2, 2), (5, 5), (7, 9), (12, 8)]
        return [drawn(random, n, m, kind) for n, m in sizes for kind in range(4)]

    def long(self) -> Sequence[Problem]:
        random = np.random.default_rng(1)
        sizes = [(1, 300), (300, 1), (63, 64), (65, 62), (127, 128), (140, 140)]
        return [drawn(random, n, m, kind) for n, m in sizes for kind in range(4)]

    def answer(self, loops: Loops, problem: Problem) -> tuple[float, float]:
        room = filled(loops["transport"], problem)
        return room.bound(*problem.costs.shape), room.solve(*problem.costs.shape)

    def check(self, problem: Problem, answer: tuple[float, float]) -> None:
        whole = problem.supply.sum()
        bound, cost = answer
        assert cost / whole == pytest.approx(by_linear_programming(problem) / whole, abs=1e-9)
        assert bound <= cost + 1e-9 * whole

    def sizes(self, problem: Problem) -> list[dict[str, int]]:
        return [{"supplies": len(problem.supply), "demands": len(problem.demand)}]


def drawn(random: np.random.Generator, n: int, m: int, kind: int) -> Problem:
    """Costs that are distances, or whole numbers with many ties; masses equal or not."""
    points = random.standard_normal((n + m, 6))
    costs = np.sqrt(((points[:n, None] - points[None, n:]) ** 2).sum(axis=2))
    if kind % 2:
        costs = np.floor(costs)
    largest = 1 if kind < 2 else 9
    supply, demand = random.integers(1, largest + 1, n), random.integers(1, largest + 1, m)
    return Problem(costs, supply * demand.sum(), demand * supply.sum())


def filled(module: ModuleType, problem: Problem) -> Any:
    """The room of a loop with the problem in it."""
    n, m = problem.costs.shape
    room = module.Transport(n, m, n * m)
    for place, values in (
        (room.supply, problem.supply),
        (room.demand, problem.demand),
        (room.costs, problem.costs.ravel()),
    ):
        np.asarray(place)[:] = values
    return room


def by_linear_programming(problem: Problem) -> float:
    """The least cost that another solver finds."""
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    n, m = problem.costs.shape
    rows = sparse.kron(sparse.eye(n), np.ones((1, m)))
    columns = sparse.kron(np.ones((1, n)), sparse.eye(m))
    done = optimize.linprog(
        problem.costs.ravel(),
        A_eq=sparse.vstack([rows, columns]),
        b_eq=[*problem.supply, *problem.demand],
        options={"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10},
    )
    assert done.status == 0
    return float(done.fun)
