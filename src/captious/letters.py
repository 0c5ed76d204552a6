"""Letters that show what can be told apart, metrics or systems: those that share one cannot."""

from __future__ import annotations

import string

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.checks.choices import check_choice

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
    """The largest sets of which no two members are told apart, in order of their first members.

    `apart` is a symmetric matrix of truth values.
    """
    groups = [frozenset(range(len(apart)))] if len(apart) else []
    for pair in map(set, zip(*np.nonzero(np.triu(apart, 1)), strict=True)):
        parts = {group - {end} for group in groups if pair <= group for end in pair}
        sets = [group for group in groups if not pair <= group] + list(parts)
        # A set inside another says nothing that this does not.
        groups = [group for group in sets if not any(group < other for other in sets)]
    return sorted(sorted(int(member) for member in group) for group in groups)


def letters(apart: IntArray) -> list[str]:
    """A compact letter display: one text a row of `apart`, sharing a letter if not told apart.

    With rows from best to worst the best has an `a`.
    """
    groups = [(_letter(place), group) for place, group in enumerate(indistinguishable(apart))]
    return [
        "".join(letter for letter, group in groups if row in group) for row in range(len(apart))
    ]


def _letter(place: int) -> str:
    """The letters of the alphabet, small and then large; after these the same with a prime."""
    primes, letter = divmod(place, len(string.ascii_letters))
    return string.ascii_letters[letter] + "'" * primes
