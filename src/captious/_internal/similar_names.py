"""Closest known name to a mistyped one, by edit distance."""

from __future__ import annotations

from collections.abc import Iterable

MAX_NAME_LENGTH = 100  # longer names are cut: distances take quadratic time
CHARACTERS_PER_EDIT = 4


def closest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name with the fewest edits, at most one per four characters, or None.

    Case and punctuation are ignored, except to choose among names that are equally close.

    >>> closest_name("metoer", ["meteor", "bleu"]), closest_name("clair", ["bleu"])
    ('meteor', None)
    """
    name = name[:MAX_NAME_LENGTH].lower()
    plain = _alphanumeric(name)
    max_edits = max(1, len(plain) // CHARACTERS_PER_EDIT)
    distances = [(edit_distance(plain, _alphanumeric(each.lower())), each) for each in known]
    near = [
        (edits, edit_distance(name, each), each) for edits, each in distances if edits <= max_edits
    ]
    return min(near)[-1] if near and len(plain) > 1 else None


def edit_distance(a: str, b: str) -> int:
    """Damerau-Levenshtein distance (optimal string alignment)."""
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


def _alphanumeric(name: str) -> str:
    return "".join(filter(str.isalnum, name))
