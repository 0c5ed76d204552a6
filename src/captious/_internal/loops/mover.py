# cython: annotation_typing=False, cpow=True
"""Word mover's distance of many pairs of captions, with bounds that avoid most exact problems."""

from __future__ import annotations

from typing import Any

from captious._internal.loops.transport import Transport

FAR = float("inf")
# Rounding does far less to a bound or a distance: a pair that is passed over was not the nearest.
SLACK = 1e-9


def _shared_mass(
    names_a: Any,
    counts_a: Any,
    start_a: Any,
    end_a: Any,
    total_a: Any,
    names_b: Any,
    counts_b: Any,
    start_b: Any,
    end_b: Any,
    total_b: Any,
) -> Any:
    """Return the mass that two captions share at the same words."""
    shared = 0
    j = start_b
    for i in range(start_a, end_a):
        while j < end_b and names_b[j] < names_a[i]:
            j += 1
        if j < end_b and names_b[j] == names_a[i]:
            mass_a = counts_a[i] * total_b
            mass_b = counts_b[j] * total_a
            shared += mass_a if mass_a < mass_b else mass_b
    whole = 1.0 * total_a * total_b
    return shared / whole


def _write_excess(
    names: Any,
    counts: Any,
    start: Any,
    end: Any,
    total: Any,
    other_names: Any,
    other_counts: Any,
    other_start: Any,
    other_end: Any,
    other_total: Any,
    places: Any,
    masses: Any,
) -> Any:
    """Write where a caption has more mass than the other at the same word; return how many.

    What both have at a word stays there: distances obey the triangle inequality, so that some best
    plan does not move it.
    """
    found = 0
    j = other_start
    for i in range(start, end):
        mass = counts[i] * other_total
        while j < other_end and other_names[j] < names[i]:
            j += 1
        if j < other_end and other_names[j] == names[i]:
            mass -= other_counts[j] * total
        if mass > 0:
            places[found] = i
            masses[found] = mass
            found += 1
    return found


def _write_distances(
    vectors_a: Any,
    words_a: Any,
    places_a: Any,
    n: Any,
    vectors_b: Any,
    words_b: Any,
    places_b: Any,
    m: Any,
    costs: Any,
    steps: Any,
) -> None:
    """Write the distance of every word left over in one caption from every one in the other."""
    size = vectors_a.shape[1]
    for i in range(n):
        row_a = words_a[places_a[i]]
        steps.count(m * size)
        for j in range(m):
            row_b = words_b[places_b[j]]
            # Four sums that need not wait for each other.
            first = 0.0
            second = 0.0
            third = 0.0
            fourth = 0.0
            for k in range(0, size, 4):
                apart = vectors_a[row_a, k] - vectors_b[row_b, k]
                first += apart * apart
                apart = vectors_a[row_a, k + 1] - vectors_b[row_b, k + 1]
                second += apart * apart
                apart = vectors_a[row_a, k + 2] - vectors_b[row_b, k + 2]
                third += apart * apart
                apart = vectors_a[row_a, k + 3] - vectors_b[row_b, k + 3]
                fourth += apart * apart
            costs[i * m + j] = ((first + second) + (third + fourth)) ** 0.5


def mover_distances(
    vectors_a: Any,
    names_a: Any,
    words_a: Any,
    counts_a: Any,
    offsets_a: Any,
    totals_a: Any,
    vectors_b: Any,
    names_b: Any,
    words_b: Any,
    counts_b: Any,
    offsets_b: Any,
    totals_b: Any,
    rows: Any,
    pairs: Any,
    pair_offsets: Any,
    only_nearest: Any,
    longest_a: Any,
    longest_b: Any,
    cells: Any,
    places_a: Any,
    places_b: Any,
    distances: Any,
) -> int:
    """Write the distance of each sample's caption of a from its captions of b.

    A caption is a sorted set of words with counts: `names` are the same for the same word in a and
    b and ascend, `words` are rows of `vectors`, whose length is a multiple of four, `totals` are
    the sums of counts. With `only_nearest`, a pair that a bound shows not to be its sample's
    nearest is left infinite; so is a pair with an empty caption. Returns how many exact problems
    were solved; `cells` is the largest product of two captions' words.
    """
    problem = Transport(longest_a, longest_b, cells)
    solved = 0
    for sample in range(len(rows)):
        row_a = rows[sample]
        start_a = offsets_a[row_a]
        end_a = offsets_a[row_a + 1]
        first = pair_offsets[sample]
        end = pair_offsets[sample + 1]
        best = FAR
        most = -1.0
        likely = first  # with most words in common: taken first, so that its distance spares others
        for pair in range(first, end):
            distances[pair] = FAR
            row_b = pairs[pair]
            start_b = offsets_b[row_b]
            end_b = offsets_b[row_b + 1]
            if only_nearest and start_a < end_a and start_b < end_b:
                shared = _shared_mass(
                    names_a, counts_a, start_a, end_a, totals_a[row_a],
                    names_b, counts_b, start_b, end_b, totals_b[row_b],
                )  # fmt: skip
                if shared > most:
                    most = shared
                    likely = pair
        for turn in range(first, end):
            pair = likely if turn == first else (first if turn == likely else turn)
            row_b = pairs[pair]
            start_b = offsets_b[row_b]
            end_b = offsets_b[row_b + 1]
            if start_a == end_a or start_b == end_b:
                continue
            n = _write_excess(
                names_a, counts_a, start_a, end_a, totals_a[row_a],
                names_b, counts_b, start_b, end_b, totals_b[row_b], places_a, problem.supply,
            )  # fmt: skip
            if n == 0:
                distances[pair] = 0.0
                best = 0.0
                continue
            m = _write_excess(
                names_b, counts_b, start_b, end_b, totals_b[row_b],
                names_a, counts_a, start_a, end_a, totals_a[row_a], places_b, problem.demand,
            )  # fmt: skip
            if only_nearest and best == 0.0:
                continue
            _write_distances(
                vectors_a, words_a, places_a, n, vectors_b, words_b, places_b, m, problem.costs,
                problem.steps,
            )  # fmt: skip
            whole = 1.0 * totals_a[row_a] * totals_b[row_b]
            if problem.bound(n, m) / whole > best + SLACK and only_nearest:
                continue
            solved += 1
            distances[pair] = problem.solve(n, m) / whole
            if distances[pair] < best:
                best = distances[pair]
    return solved
