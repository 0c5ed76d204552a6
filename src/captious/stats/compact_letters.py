"""Compact letter display: items that share a letter do not differ significantly."""

from __future__ import annotations

import string

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_choice

CORRECTIONS = ("holm", "none")


def correct_p_values(p_values: FloatArray, correction: str = "holm") -> FloatArray:
    """Correct a symmetric matrix of p-values for the number of pairs that it compares.

    Holm's correction keeps the family-wise error rate below the level. Pairs without a p-value
    (NaN) are not counted as comparisons.
    """
    check_choice("unknown correction", correction, CORRECTIONS)
    if correction == "none":
        return p_values
    rows, columns = np.triu_indices(len(p_values), 1)
    compared = np.isfinite(p_values[rows, columns])
    rows, columns = rows[compared], columns[compared]
    values = p_values[rows, columns]
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    raised = np.minimum(1, np.maximum.accumulate(values[order] * factors))
    result = p_values.copy()
    result[rows[order], columns[order]] = raised
    result[columns[order], rows[order]] = raised
    return result


def indistinguishable_groups(apart: IntArray) -> list[list[int]]:
    """Return groups of which no two members differ, in order of their first members.

    `apart` is a symmetric matrix of booleans. Every pair that does not differ is in some group, no
    group can be enlarged, and none is redundant. There may be exponentially many such groups, and
    a minimum cover is hard to find, so each group is grown around the first pair that no group has
    yet, by the member that brings most such pairs (a greedy clique cover).
    """
    alike = ~np.asarray(apart, dtype=bool)
    np.fill_diagonal(alike, False)
    missing = alike.copy()  # pairs that no group has yet
    groups = [
        [row] for row in np.flatnonzero(~alike.any(axis=1)).tolist()
    ]  # those that differ from all
    while missing.any():
        row, column = divmod(int(missing.argmax()), len(alike))
        group = _grow_group([row, column], alike, missing)
        missing[np.ix_(group, group)] = False
        groups.append(group)
    return sorted(sorted(group) for group in _drop_redundant(groups, len(alike)))


def _grow_group(group: list[int], alike: IntArray, missing: IntArray) -> list[int]:
    """Enlarge a group until no item is indistinguishable from all of it; ties go to the first."""
    fitting = alike[group].all(axis=0)
    gains = missing[group].sum(axis=0)
    while fitting.any():
        best = int(np.where(fitting, gains, -1).argmax())
        group = [*group, best]
        fitting = fitting & alike[best]
        gains = gains + missing[best]
    return group


def _drop_redundant(groups: list[list[int]], size: int) -> list[list[int]]:
    """Drop groups all of whose pairs are in other groups, too."""
    times = np.zeros((size, size), dtype=np.int64)
    for group in groups:
        times[np.ix_(group, group)] += 1
    kept = []
    for group in groups:  # the first were grown when most pairs were missing: most redundant
        counts = times[np.ix_(group, group)]
        if len(group) > 1 and (counts[np.triu_indices(len(group), 1)] > 1).all():
            times[np.ix_(group, group)] -= 1
        else:
            kept.append(group)
    return kept


def letter_display(apart: IntArray) -> list[str]:
    """Return the letters of each row of `apart`; rows that do not differ share a letter.

    With rows from best to worst the best has an `a`.
    """
    display = [""] * len(apart)
    for place, group in enumerate(indistinguishable_groups(apart)):
        for row in group:
            display[row] += _letter(place)
    return display


def _letter(place: int) -> str:
    """Return a to z, then A to Z, then the same with primes."""
    primes, letter = divmod(place, len(string.ascii_letters))
    return string.ascii_letters[letter] + "'" * primes
