"""Combination of several references into one, so that a detail of a single reference counts.

A reference is a stretch of numbered tokens. How similar tokens are is in a matrix of all of an
image's tokens; two match if their similarity is above a threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.ragged import Ragged
from captious.metrics.parameters import parameter

COMBINED, CONCATENATED, BEST = "combined", "concatenated", "best"
POOLING_METHODS = (COMBINED, CONCATENATED, BEST)


def pooling_parameter() -> Any:
    """Return the parameter `pooling`: how several references are combined."""
    return parameter(COMBINED, "how several references are combined", choices=POOLING_METHODS)


def rows_of(ragged: Ragged) -> list[tuple[int, ...]]:
    """The rows of a ragged array as tuples."""
    flat = ragged.values.tolist()
    return [tuple(flat[start:end]) for start, end in pairwise(ragged.offsets.tolist())]


def combine_references(
    similarity: NDArray[Any], starts: Sequence[int], threshold: float
) -> list[int]:
    """The first reference's tokens, and those of each further one that match none so far."""
    kept = list(range(starts[0], starts[1]))
    for first, end in pairwise(starts[1:]):
        best = similarity[first:end, kept].max(axis=1, initial=-1.0)
        kept += (first + np.flatnonzero(best <= threshold)).tolist()
    return kept


def combine_on_each_base(
    similarity: NDArray[Any], starts: Sequence[int], threshold: float
) -> list[tuple[list[int], list[int]]]:
    """For each reference as the base: its tokens, and those of others that match none before.

    As the authors' code has it, others are compared with all of the references before them, not
    only with what was kept of these.
    """
    spans = list(pairwise(starts))
    # Whether each token matches any token of each reference.
    matched = np.column_stack(
        [similarity[:, first:end].max(axis=1, initial=-1.0) > threshold for first, end in spans]
    )
    in_turn = []
    for base, (base_first, base_end) in enumerate(spans):
        added: list[int] = []
        for other, (first, end) in enumerate(spans):
            if other != base:
                before = [base, *(place for place in range(other) if place != base)]
                new = ~matched[first:end, before].any(axis=1)
                added += (first + np.flatnonzero(new)).tolist()
        in_turn.append((list(range(base_first, base_end)), added))
    return in_turn
