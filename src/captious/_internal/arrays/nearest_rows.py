"""The nearest of several vectors, by products whose bits depend on nothing else.

Two vectors may be equally near but for the last bit: products are those of `row_products`, so that
the same one is chosen in any batch, on any processor, compiled or not.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.arrays.row_products import PackedMatrix, SingleArray, tiles


def find_nearest_rows(
    vectors: SingleArray,
    groups: Ragged,
    others: SingleArray,
    segments: Ragged,
    segments_of_groups: IntArray,
) -> Ragged:
    """Return, for each row of a group, the nearest row in each segment beside the group.

    `groups` has rows of `vectors`, `segments` rows of `others`, none empty; beside group i are the
    segments from `segments_of_groups[i]` to before `segments_of_groups[i + 1]`. The answer has, row
    by row of the groups, places in `segments.values`; of equally near rows the first.
    """
    owners = groups.owners
    firsts, lasts = segments_of_groups[owners], segments_of_groups[owners + 1]
    offsets = offsets_of(lasts - firsts)
    places = np.empty(int(offsets[-1]), np.int64)
    find = _find_in_python if tiles is None else _find_compiled
    find(vectors, groups.values, others, segments, firsts, lasts, places)
    return Ragged(places, offsets)


def _find_compiled(
    vectors: SingleArray,
    rows: IntArray,
    others: SingleArray,
    segments: Ragged,
    firsts: IntArray,
    lasts: IntArray,
    places: IntArray,
) -> None:
    numbers = [
        np.ascontiguousarray(each, np.int64)
        for each in (segments.values, segments.offsets, firsts, lasts)
    ]
    tiles.nearest(
        np.ascontiguousarray(vectors, np.float32),
        np.ascontiguousarray(rows, np.int64),
        np.ascontiguousarray(others, np.float32),
        *numbers,
        places,
        tiles.SUPPORTED_KINDS[-1],
    )


def _find_in_python(
    vectors: SingleArray,
    rows: IntArray,
    others: SingleArray,
    segments: Ragged,
    firsts: IntArray,
    lasts: IntArray,
    places: IntArray,
) -> None:
    done = 0
    for row, first, last in zip(rows, firsts.tolist(), lasts.tolist(), strict=True):
        offsets = segments.offsets[first : last + 1].tolist()
        beside = others[segments.values[offsets[0] : offsets[-1]]]
        products = PackedMatrix(vectors[row : row + 1].T).multiply(beside)[:, 0]
        for start, end in pairwise(offsets):
            places[done] = start + products[start - offsets[0] : end - offsets[0]].argmax()
            done += 1
