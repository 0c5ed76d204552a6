"""Several references: their scores pooled into one, or the references combined into one.

To be combined, a reference is a stretch of numbered tokens. How similar tokens are is in a matrix
of all of an image's tokens; two match if their similarity is above a threshold. So a detail that a
single reference has counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_choice
from captious.metrics.parameters import parameter

POOLS = ("max", "mean", "min")
COMBINED, CONCATENATED, BEST = "combined", "concatenated", "best"
POOLING_METHODS = (COMBINED, CONCATENATED, BEST)


def check_pool(metric: str, pool: str) -> None:
    """Raise an error for an unknown pooling method."""
    check_choice(f"{metric}: unknown pool", pool, POOLS)


def pool_scores(scores: FloatArray, offsets: IntArray, pool: str) -> FloatArray:
    """Return one score a sample from the scores of its pairs, of which each has at least one."""
    starts = offsets[:-1]
    if pool == "max":
        return np.maximum.reduceat(scores, starts)
    if pool == "min":
        return np.minimum.reduceat(scores, starts)
    return np.add.reduceat(scores, starts) / np.diff(offsets)


def pooling_parameter() -> Any:
    """Return the parameter `pooling`: how several references are combined."""
    return parameter(COMBINED, "how several references are combined", choices=POOLING_METHODS)


def combine_references(
    similarity: NDArray[Any], starts: Sequence[int], threshold: float
) -> list[int]:
    """Return the first reference's tokens, and those of the others that match none before them."""
    kept = list(range(starts[0], starts[1]))
    for first, end in pairwise(starts[1:]):
        best = similarity[first:end, kept].max(axis=1, initial=-1.0)
        kept += (first + np.flatnonzero(best <= threshold)).tolist()
    return kept


def combine_on_each_base(
    similarity: NDArray[Any], starts: Sequence[int], threshold: float
) -> list[tuple[list[int], list[int]]]:
    """Return, for each reference as the base, its tokens and the others' that match none before.

    As the authors' code has it, others are compared with all of the references before them, not
    only with what was kept of these.
    """
    spans = list(pairwise(starts))
    # Whether each token matches any token of each reference.
    matched = np.column_stack(
        [similarity[:, first:end].max(axis=1, initial=-1.0) > threshold for first, end in spans]
    )
    combined = []
    for base, (base_first, base_end) in enumerate(spans):
        added: list[int] = []
        for other, (first, end) in enumerate(spans):
            if other != base:
                before = [base, *(place for place in range(other) if place != base)]
                new = ~matched[first:end, before].any(axis=1)
                added += (first + np.flatnonzero(new)).tolist()
        combined.append((list(range(base_first, base_end)), added))
    return combined
