# cython: annotation_typing=False
"""Exact optimal transport between two small distributions: the least cost of moving one to another.

Masses are whole numbers, so that every round moves at least one unit and the search ends whatever
the rounding of costs. A problem is solved by successive shortest paths with potentials.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NONE = -1
UNSEEN = 0
ENTERED = 1
DONE = 2


class Transport:
    """One problem at a time of n supplies and m demands, in room for the largest.

    Fill `supply` and `demand`, of the same sum, and `costs`, n times m row by row; ask for `bound`,
    which sets potentials, then perhaps for `solve`, which uses supplies and demands up.
    """

    def __init__(self, supplies: Any, demands: Any, cells: Any) -> None:
        self.costs: Any = np.zeros(cells).data
        self.supply: Any = np.zeros(supplies, np.int64).data
        self.demand: Any = np.zeros(demands, np.int64).data
        self.rows: Any = np.zeros(supplies).data
        self.columns: Any = np.zeros(demands).data
        self.flow: Any = np.zeros(cells, np.int64).data
        self.reach: Any = np.zeros(demands).data
        self.came_from: Any = np.zeros(demands, np.int64).data
        self.is_passed: Any = np.zeros(demands, np.int8).data
        self.entry: Any = np.zeros(supplies).data
        self.went_from: Any = np.zeros(supplies, np.int64).data
        self.state: Any = np.zeros(supplies, np.int8).data

    def bound(self, n: Any, m: Any) -> Any:
        """Set potentials whose sums no cost undercuts; return the cost that they prove necessary.

        Each column takes its least cost: no demand is met for less, which is relaxed word mover's
        distance. Each row adds what its costs leave above that.
        """
        costs = self.costs
        bound = 0.0
        for j in range(m):
            least = costs[j]
            for i in range(1, n):
                if costs[i * m + j] < least:
                    least = costs[i * m + j]
            self.columns[j] = least
            bound += self.demand[j] * least
        for i in range(n):
            least = costs[i * m] - self.columns[0]
            for j in range(1, m):
                if costs[i * m + j] - self.columns[j] < least:
                    least = costs[i * m + j] - self.columns[j]
            self.rows[i] = least
            bound += self.supply[i] * least
        return bound

    def solve(self, n: Any, m: Any) -> Any:
        """Return the least cost at which the supplies meet the demands."""
        for i in range(n * m):
            self.flow[i] = 0
        for source in range(n):
            while self.supply[source] > 0:
                target = self._find(source, n, m)
                self._move(source, target, m)
        total = 0.0
        for i in range(n * m):
            if self.flow[i] > 0:
                total += self.flow[i] * self.costs[i]
        return total

    def _find(self, source: Any, n: Any, m: Any) -> Any:
        """The nearest open demand, forwards by any pair and backwards by pairs in use."""
        costs = self.costs
        for j in range(m):
            self.came_from[j] = NONE
            self.is_passed[j] = 0
        for i in range(n):
            self.state[i] = UNSEEN
        self.state[source] = ENTERED
        self.entry[source] = 0.0
        while True:
            for i in range(n):
                if self.state[i] == ENTERED:
                    self.state[i] = DONE
                    for j in range(m):
                        if self.is_passed[j] == 0:
                            step = costs[i * m + j] - self.rows[i] - self.columns[j]
                            if step < 0.0:  # by rounding only
                                step = 0.0
                            step += self.entry[i]
                            if self.came_from[j] == NONE or step < self.reach[j]:
                                self.reach[j] = step
                                self.came_from[j] = i
            nearest = NONE
            for j in range(m):
                if self.is_passed[j] == 0 and (
                    nearest == NONE or self.reach[j] < self.reach[nearest]
                ):
                    nearest = j
            distance = self.reach[nearest]
            if self.demand[nearest] > 0:
                break
            self.is_passed[nearest] = 1
            for i in range(n):
                if self.state[i] == UNSEEN and self.flow[i * m + nearest] > 0:
                    self.state[i] = ENTERED
                    self.entry[i] = distance
                    self.went_from[i] = nearest
        # New potentials: still no cost undercuts them, and the way found costs nothing above them.
        for i in range(n):
            if self.state[i] != UNSEEN:
                self.rows[i] += distance - self.entry[i]
        for j in range(m):
            if self.is_passed[j] != 0:
                self.columns[j] -= distance - self.reach[j]
        return nearest

    def _move(self, source: Any, target: Any, m: Any) -> None:
        """Move along the way found what its narrowest place lets through."""
        amount = self.supply[source]
        if self.demand[target] < amount:
            amount = self.demand[target]
        i = self.came_from[target]
        while i != source:
            j = self.went_from[i]
            if self.flow[i * m + j] < amount:
                amount = self.flow[i * m + j]
            i = self.came_from[j]
        self.supply[source] -= amount
        self.demand[target] -= amount
        i = self.came_from[target]
        self.flow[i * m + target] += amount
        while i != source:
            j = self.went_from[i]
            self.flow[i * m + j] -= amount
            i = self.came_from[j]
            self.flow[i * m + j] += amount
