"""Rows sorted into kinds: by a number such as words or objects, or by a name such as a source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.samples import unique_rows

LEAST = 10  # rows of a kind: fewer say nothing, and are joined with neighbours or left out
MOST = 5  # kinds of a number
NONE = -1  # the kind of rows that are in none

Label = Callable[[int, int, bool, bool], str]


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds, and the number of each row's: of a system's rows each, where captions decide."""

    title: str
    labels: Sequence[str]
    numbers: IntArray  # one a row, or one row of them a system
    note: str = ""


def ends_said(low: int, high: int, is_first: bool, is_last: bool) -> str:
    """The name of a kind of numbers between two; the first and the last are open."""
    if low == high == 0:
        return "none"
    if is_last and not is_first:
        return f"{low} and more"
    if is_first and low != high:
        return f"up to {high}"
    return str(low) if low == high else f"{low} to {high}"


def kinds_by_number(
    title: str, values: IntArray, note: str = "", label: Label = ends_said
) -> Kinds | None:
    """A few kinds of about equal size, of numbers next to each other; none where all are alike.

    That there is nothing of what is counted is a kind of its own.
    """
    different, counts = np.unique(values, return_counts=True)
    ends: list[int] = []  # the place after the last number of each kind
    if different[0] == 0 and len(different) > 1 and counts[0] >= LEAST:
        ends.append(1)
    start = ends[-1] if ends else 0
    fair = counts[start:].sum() / (MOST - len(ends))
    gathered = 0
    for place in range(start, len(different)):
        gathered += counts[place]
        if gathered >= max(fair, LEAST):
            ends.append(place + 1)
            gathered = 0
    if gathered:  # what is left over is a kind, or part of the last one
        if gathered >= max(fair / 2, LEAST) or not ends:
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
    return Kinds(title, labels, numbers, note)


def kinds_by_name(title: str, names: Sequence[str], note: str = "") -> Kinds | None:
    """One kind a name, the largest first; those of few rows are left out, and said."""
    different, numbers = unique_rows(names)
    counts = np.bincount(numbers)
    order = np.argsort(-counts, kind="stable")
    kept = order[counts[order] >= LEAST]
    if not len(kept):
        return None
    places = np.full(len(different), NONE)
    places[kept] = np.arange(len(kept))
    made = Kinds(title, [different[place] for place in kept], places[numbers], note)
    missing = len(different) - len(kept)
    if not missing:
        return made
    rows = int(counts.sum() - counts[kept].sum())
    said = f"{missing} smaller groups, of {rows} samples together, are left out"
    return replace(made, note=f"{note}; {said}" if note else said)
