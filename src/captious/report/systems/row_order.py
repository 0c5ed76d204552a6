"""Rows of one table in the order of another's: by id, and by their turn where an id repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator


def rows_in_order(ids: Iterable[Hashable], wanted: Iterable[Hashable]) -> Iterator[int | None]:
    """The row of each wanted id, or nothing where there is none or none is left."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for row, image in enumerate(ids):
        places[str(image)].append(row)
    in_turn = {image: iter(rows) for image, rows in places.items()}
    for image in wanted:
        yield next(in_turn.get(str(image), iter(())), None)
