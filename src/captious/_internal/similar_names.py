"""The known name that a mistyped one was most likely meant to be."""

from __future__ import annotations

from collections.abc import Iterable

MAX_NAME_LENGTH = 100  # of a name that is compared: distances of longer ones take long to compute
CHARACTERS_PER_EDIT = 4


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name with the fewest edits, at most one in four characters; none if all need more.

    Case does not matter, nor do marks between words, unless several names are equally near.

    >>> nearest_name("metoer", ["meteor", "bleu"]), nearest_name("clair", ["bleu"])
    ('meteor', None)
    """
    name = name[:MAX_NAME_LENGTH].lower()
    plain = _without_marks(name)
    most = max(1, len(plain) // CHARACTERS_PER_EDIT)
    distances = [(edit_distance(plain, _without_marks(each.lower())), each) for each in known]
    near = [(edits, edit_distance(name, each), each) for edits, each in distances if edits <= most]
    return min(near)[-1] if near and len(plain) > 1 else None


def edit_distance(a: str, b: str) -> int:
    """How many characters must be inserted, deleted, replaced or swapped with their neighbour."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for row, letter in enumerate(a, 1):
        current = [row]
        for column, other in enumerate(b, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == b[column - 2] and a[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, last = last, current
    return last[-1]


def _without_marks(name: str) -> str:
    return "".join(filter(str.isalnum, name))
