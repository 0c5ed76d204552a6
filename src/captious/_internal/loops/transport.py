# cython: annotation_typing=False
"""Exact optimal transport between two distributions: the least cost of moving one to another.

The network simplex: a plan uses pairs that form a tree over all supplies and demands; as long as
some other pair would be cheaper than the way through the tree, it is taken in and the pair that it
empties is let go. Masses are whole numbers, each made a little different, so that no pair of the
tree is ever empty: every exchange then lowers the cost, and the search ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from captious._internal.loops.step_counter import StepCounter

NONE = -1
# A pair must be cheaper by such a share of what it is compared with: rounding does far less.
SLACK = 1e-13


class Transport:
    """Solver of one problem of n supplies and m demands at a time, allocated for the largest.

    Fill `supply` and `demand`, all positive and of the same sum, and `costs`, n times m row by row;
    ask for `bound`, then perhaps for `solve`, which uses supplies and demands up. The sum times
    2n + 2 must fit into 63 bits.

    The tree's nodes are the n supplies, then the m demands. Each but the root has a parent on the
    other side, a potential, and the flow between the two.
    """

    def __init__(self, supplies: Any, demands: Any, cells: Any) -> None:
        nodes = supplies + demands
        self.costs: Any = np.zeros(cells).data
        self.supply: Any = np.zeros(supplies, np.int64).data
        self.demand: Any = np.zeros(demands, np.int64).data
        self.least: Any = np.zeros(demands).data
        self.potential: Any = np.zeros(nodes).data
        self.flow: Any = np.zeros(nodes, np.int64).data
        self.depth: Any = np.zeros(nodes, np.int64).data
        self.parent: Any = np.zeros(nodes, np.int64).data
        # A node's children are a chain from the eldest on.
        self.eldest: Any = np.zeros(nodes, np.int64).data
        self.elder: Any = np.zeros(nodes, np.int64).data
        self.younger: Any = np.zeros(nodes, np.int64).data
        self.order: Any = np.zeros(nodes, np.int64).data
        self.steps: Any = StepCounter()

    def bound(self, n: Any, m: Any) -> Any:
        """Return a lower bound of the cost, in one pass over all pairs.

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
            self.least[j] = least
            bound += self.demand[j] * least
        for i in range(n):
            least = costs[i * m] - self.least[0]
            for j in range(1, m):
                if costs[i * m + j] - self.least[j] < least:
                    least = costs[i * m + j] - self.least[j]
            bound += self.supply[i] * least
        return bound

    def solve(self, n: Any, m: Any) -> Any:
        """Return the least cost at which the supplies meet the demands; `bound` comes first."""
        scale = 2 * n + 2
        for i in range(n):
            self.supply[i] = self.supply[i] * scale + 1
        for j in range(m):
            self.demand[j] = self.demand[j] * scale
        self.demand[m - 1] += n
        root = self._build_initial_tree(n, m)
        row = 0
        is_settled = False
        while not is_settled:
            # Exchanges only shift potentials; what that rounds away is mended here.
            self._update_subtree(root, n, m)
            is_settled = True
            # Rows in turn, until none has a pair that should be in the tree.
            without = 0
            while without < n:
                column = self._find_entering_column(row, n, m)
                if column == NONE:
                    without += 1
                else:
                    without = 0
                    is_settled = False
                    # A node that is shifted takes as long as some pairs that are looked at.
                    self.steps.count(8 * self._pivot(row, n + column, n, m))
                row = row + 1 if row + 1 < n else 0
        total = 0.0
        for node in range(n + m):
            if node != root:
                # The little that masses were changed by is rounded off again.
                amount = (self.flow[node] + n + 1) // scale
                total += amount * self._cost(node, n, m)
        return total

    def _cost(self, node: Any, n: Any, m: Any) -> Any:
        """Return the cost of the pair of a node and its parent."""
        if node < n:
            return self.costs[node * m + self.parent[node] - n]
        return self.costs[self.parent[node] * m + node - n]

    def _build_initial_tree(self, n: Any, m: Any) -> Any:
        """Build a first plan, each row going to the cheapest open columns; return the tree's root.

        Cheap is what is little above the column's least cost. Every move but the last uses up
        either its row or its column, which becomes a child of the other.
        """
        moves = 0
        for i in range(n):
            self.eldest[i] = NONE
            while self.supply[i] > 0:
                nearest = NONE
                for j in range(m):
                    if self.demand[j] > 0 and (
                        nearest == NONE
                        or self.costs[i * m + j] - self.least[j]
                        < self.costs[i * m + nearest] - self.least[nearest]
                    ):
                        nearest = j
                child, parent = i, n + nearest
                amount = self.supply[i]
                if self.demand[nearest] < amount or moves == n + m - 2:
                    child, parent = n + nearest, i
                    amount = self.demand[nearest]
                self.supply[i] -= amount
                self.demand[nearest] -= amount
                self.parent[child] = parent
                self.flow[child] = amount
                moves += 1
            self.steps.count(m)
        for j in range(m):
            self.eldest[n + j] = NONE
        root = n - 1  # the last move used up both, and is its row's
        self.parent[root] = NONE
        self.potential[root] = 0.0
        self.depth[root] = 0
        for node in range(n + m):
            if node != root:
                self._attach(self.parent[node], node)
        return root

    def _attach(self, parent: Any, child: Any) -> None:
        """Make a node the first child of another."""
        eldest = self.eldest[parent]
        self.parent[child] = parent
        self.elder[child] = NONE
        self.younger[child] = eldest
        if eldest != NONE:
            self.elder[eldest] = child
        self.eldest[parent] = child

    def _detach(self, child: Any) -> None:
        """Remove a node from the chain of its parent's children."""
        elder = self.elder[child]
        younger = self.younger[child]
        if elder == NONE:
            self.eldest[self.parent[child]] = younger
        else:
            self.younger[elder] = younger
        if younger != NONE:
            self.elder[younger] = elder

    def _update_subtree(self, top: Any, n: Any, m: Any) -> None:
        """Set depths and potentials below a node, so that pairs in the tree cost nothing above."""
        self.order[0] = top
        count = 1
        while count > 0:
            count -= 1
            parent = self.order[count]
            child = self.eldest[parent]
            while child != NONE:
                self.depth[child] = self.depth[parent] + 1
                self.potential[child] = self._cost(child, n, m) - self.potential[parent]
                self.order[count] = child
                count += 1
                child = self.younger[child]

    def _shift(self, top: Any, by: Any, n: Any) -> Any:
        """Raise the potentials of rows from a node on, and lower those of columns as much.

        Depths are set anew, too. Returns how many nodes there are.
        """
        self.order[0] = top
        count = 1
        shifted = 0
        while count > 0:
            count -= 1
            node = self.order[count]
            self.depth[node] = self.depth[self.parent[node]] + 1
            self.potential[node] += by if node < n else -by
            shifted += 1
            child = self.eldest[node]
            while child != NONE:
                self.order[count] = child
                count += 1
                child = self.younger[child]
        return shifted

    def _find_entering_column(self, row: Any, n: Any, m: Any) -> Any:
        """Return the column whose path in the tree costs most beyond the direct pair."""
        self.steps.count(m)
        costs = self.costs
        mine = self.potential[row]
        first = row * m
        found = NONE
        least = 0.0
        for j in range(m):
            gain = costs[first + j] - mine - self.potential[n + j]
            if gain < least:
                least = gain
                found = j
        if found != NONE:
            beside = abs(mine) + abs(self.potential[n + found]) + abs(costs[first + found])
            if least > -SLACK * beside:
                return NONE
        return found

    def _pivot(self, row: Any, column: Any, n: Any, m: Any) -> Any:
        """Add a pair to the tree and remove the first that becomes empty.

        What goes from row to column directly no longer goes through the tree: on the row's way up,
        pairs below which there is a row give, those below a column take; on the column's way it is
        the other way round. Returns how many nodes were shifted.
        """
        a = row
        b = column
        narrow = NONE  # the lower node of the pair that is let go
        is_rows = False  # whether that is on the row's way
        amount = 0
        while a != b:
            if self.depth[a] >= self.depth[b]:
                if a < n and (narrow == NONE or self.flow[a] < amount):
                    narrow = a
                    amount = self.flow[a]
                    is_rows = True
                a = self.parent[a]
            else:
                if b >= n and (narrow == NONE or self.flow[b] < amount):
                    narrow = b
                    amount = self.flow[b]
                    is_rows = False
                b = self.parent[b]
        node = row
        while node != a:
            self.flow[node] += -amount if node < n else amount
            node = self.parent[node]
        node = column
        while node != a:
            self.flow[node] += amount if node < n else -amount
            node = self.parent[node]
        # The part that is cut off hangs by its end of the new pair now: turn it round.
        node = row if is_rows else column
        parent = column if is_rows else row
        top = node
        cut = False
        while not cut:
            cut = node == narrow
            above = self.parent[node]
            flow = self.flow[node]
            self._detach(node)
            self._attach(parent, node)
            self.flow[node] = amount
            amount = flow
            parent = node
            node = above
        by = self._cost(top, n, m) - self.potential[self.parent[top]] - self.potential[top]
        return self._shift(top, by if top < n else -by, n)
