"""Letters that show what can be told apart, metrics or systems: those that share one cannot."""

from __future__ import annotations

import string

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.choices import check_choice

CORRECTIONS = ("holm", "none")


def corrected(p_values: FloatArray, correction: str = "holm") -> FloatArray:
    """A symmetric matrix of p-values, corrected for the number of pairs that it compares.

    Holm's correction keeps the chance that any pair is wrongly told apart below the level. Pairs
    without a p-value (NaN) are no comparisons.
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


def indistinguishable(apart: IntArray) -> list[list[int]]:
    """Sets of which no two members are told apart, in order of their first members.

    `apart` is a symmetric matrix of truth values. Every pair that is not told apart is inside some
    set, no set can be enlarged, and none could be left out. There may be exponentially many such
    sets, and the fewest that hold all pairs are hard to find, so each set is grown around the first
    pair that no set holds yet, by the member that brings most such pairs (a greedy clique cover).
    """
    alike = ~np.asarray(apart, dtype=bool)
    np.fill_diagonal(alike, False)
    missing = alike.copy()  # pairs that no set holds yet
    groups = [[row] for row in np.flatnonzero(~alike.any(axis=1)).tolist()]  # those like no other
    while missing.any():
        row, column = divmod(int(missing.argmax()), len(alike))
        group = _grown([row, column], alike, missing)
        missing[np.ix_(group, group)] = False
        groups.append(group)
    return sorted(sorted(group) for group in _needed(groups, len(alike)))


def _grown(group: list[int], alike: IntArray, missing: IntArray) -> list[int]:
    """A set enlarged until nothing is like all of it; the first of equals is taken."""
    fitting = alike[group].all(axis=0)
    gains = missing[group].sum(axis=0)
    while fitting.any():
        best = int(np.where(fitting, gains, -1).argmax())
        group = [*group, best]
        fitting = fitting & alike[best]
        gains = gains + missing[best]
    return group


def _needed(groups: list[list[int]], size: int) -> list[list[int]]:
    """The sets without those all of whose pairs others hold, too."""
    times = np.zeros((size, size), dtype=np.int64)
    for group in groups:
        times[np.ix_(group, group)] += 1
    kept = []
    for group in groups:  # the first were grown when most was missing: they are the least needed
        own = times[np.ix_(group, group)]
        if len(group) > 1 and (own[np.triu_indices(len(group), 1)] > 1).all():
            times[np.ix_(group, group)] -= 1
        else:
            kept.append(group)
    return kept


def letters(apart: IntArray) -> list[str]:
    """A compact letter display: one text a row of `apart`, sharing a letter if not told apart.

    With rows from best to worst the best has an `a`.
    """
    shown = [""] * len(apart)
    for place, group in enumerate(indistinguishable(apart)):
        for row in group:
            shown[row] += _letter(place)
    return shown


def _letter(place: int) -> str:
    """The letters of the alphabet, small and then large; after these the same with a prime."""
    primes, letter = divmod(place, len(string.ascii_letters))
    return string.ascii_letters[letter] + "'" * primes
