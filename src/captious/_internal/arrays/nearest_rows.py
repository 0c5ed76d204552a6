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
) -> tuple[Ragged, IntArray]:
    """Return, for rows of groups, the nearest in each segment beside the group, and the reverse.

    `groups` has rows of `vectors`, `segments` rows of `others`, none empty; beside group i are the
    segments from `segments_of_groups[i]` to before `segments_of_groups[i + 1]`, and beside all
    groups together all segments. The first answer has, row by row of the groups, places in
    `segments.values`; the second, for each of these values, the place of the nearest row in
    `groups.values`. Of equally near rows it is the first.
    """
    segment_counts = np.repeat(np.diff(segments_of_groups), groups.lengths)
    nearest = Ragged(np.empty(int(segment_counts.sum()), np.int64), offsets_of(segment_counts))
    nearest_rows = np.empty(len(segments.values), np.int64)
    find = _find_in_python if tiles is None else _find_compiled
    find(vectors, groups, others, segments, segments_of_groups, nearest.values, nearest_rows)
    return nearest, nearest_rows


def _find_compiled(
    vectors: SingleArray,
    groups: Ragged,
    others: SingleArray,
    segments: Ragged,
    segments_of_groups: IntArray,
    nearest: IntArray,
    nearest_rows: IntArray,
) -> None:
    rows, group_offsets, other_rows, segment_offsets, bounds = (
        np.ascontiguousarray(each, np.int64)
        for each in (
            groups.values,
            groups.offsets,
            segments.values,
            segments.offsets,
            segments_of_groups,
        )
    )
    tiles.nearest(
        np.ascontiguousarray(vectors, np.float32),
        rows,
        group_offsets,
        np.ascontiguousarray(others, np.float32),
        other_rows,
        segment_offsets,
        bounds,
        np.zeros(tiles.PANEL_COLUMNS * vectors.shape[1], np.float32),
        np.empty(len(nearest), np.float32),
        nearest,
        nearest_rows,
        tiles.SUPPORTED_KINDS[-1],
    )


def _find_in_python(
    vectors: SingleArray,
    groups: Ragged,
    others: SingleArray,
    segments: Ragged,
    segments_of_groups: IntArray,
    nearest: IntArray,
    nearest_rows: IntArray,
) -> None:
    done = 0
    bounds = pairwise(segments_of_groups.tolist())
    for (first_row, end_row), (first, last) in zip(
        pairwise(groups.offsets.tolist()), bounds, strict=True
    ):
        offsets = segments.offsets[first : last + 1].tolist()
        beside = others[segments.values[offsets[0] : offsets[-1]]]
        rows = vectors[groups.values[first_row:end_row]]
        products = PackedMatrix(rows.T).multiply(beside)
        if len(beside):
            nearest_rows[offsets[0] : offsets[-1]] = first_row + products.argmax(axis=1)
        for row in range(end_row - first_row):
            for start, end in pairwise(offsets):
                of_segment = products[start - offsets[0] : end - offsets[0], row]
                nearest[done] = start + of_segment.argmax()
                done += 1
