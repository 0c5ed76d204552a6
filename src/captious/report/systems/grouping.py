"""Group rows: by ranges of a number such as words or objects, or by a name such as a source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.samples import unique_rows

MIN_ROWS = 10  # in a group; smaller ones are merged with neighbours or left out
MAX_GROUPS = 5  # of one number
UNGROUPED = -1  # the group of rows that are in none

Label = Callable[[int, int, bool, bool], str]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups of rows by label; each system has its own groups where its captions decide."""

    title: str
    labels: Sequence[str]
    numbers: IntArray  # one a row, or one row of them a system
    note: str = ""


def range_label(low: int, high: int, is_first: bool, is_last: bool) -> str:
    """Return the label of a range of numbers; the first and the last are open."""
    if low == high == 0:
        return "none"
    if is_last and not is_first:
        return f"{low} and more"
    if is_first and low != high:
        return f"up to {high}"
    return str(low) if low == high else f"{low} to {high}"


def group_by_number(
    title: str, values: IntArray, note: str = "", label: Label = range_label
) -> Grouping | None:
    """Return a few ranges with about equally many rows, or None where all numbers are equal.

    Zero is a group of its own.
    """
    different, counts = np.unique(values, return_counts=True)
    ends: list[int] = []  # the place after the last number of each kind
    if different[0] == 0 and len(different) > 1 and counts[0] >= MIN_ROWS:
        ends.append(1)
    start = ends[-1] if ends else 0
    fair = counts[start:].sum() / (MAX_GROUPS - len(ends))
    row_count = 0
    for place in range(start, len(different)):
        row_count += counts[place]
        if row_count >= max(fair, MIN_ROWS):
            ends.append(place + 1)
            row_count = 0
    if row_count:  # what is left over is a kind, or part of the last one
        if row_count >= max(fair / 2, MIN_ROWS) or not ends:
            ends.append(len(different))
        else:
            ends[-1] = len(different)
    if len(ends) < 2:
        return None
    starts = [0, *ends[:-1]]
    labels = [
        label(int(different[first]), int(different[end - 1]), not first, end == len(different))
        for first, end in zip(starts, ends, strict=True)
    ]
    numbers = np.searchsorted(different[starts], values, side="right") - 1
    return Grouping(title, labels, numbers, note)


def group_by_name(title: str, names: Sequence[str], note: str = "") -> Grouping | None:
    """Return one group a name, the largest first; a note says how many small ones are left out."""
    different, numbers = unique_rows(names)
    counts = np.bincount(numbers)
    order = np.argsort(-counts, kind="stable")
    kept = order[counts[order] >= MIN_ROWS]
    if not len(kept):
        return None
    places = np.full(len(different), UNGROUPED)
    places[kept] = np.arange(len(kept))
    made = Grouping(title, [different[place] for place in kept], places[numbers], note)
    missing = len(different) - len(kept)
    if not missing:
        return made
    rows = int(counts.sum() - counts[kept].sum())
    said = f"{missing} smaller groups, of {rows} samples together, are left out"
    return replace(made, note=f"{note}; {said}" if note else said)
