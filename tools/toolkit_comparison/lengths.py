"""Captions by their number of tokens, in the buckets that tables of differences have."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

_UP_TO = (10, 20, 62, 64, 125, 128, 250, 500, 1000, 1500)
BUCKETS = (
    f"0-{_UP_TO[0]}",
    *(f"{low + 1}-{high}" for low, high in pairwise(_UP_TO)),
    f"over {_UP_TO[-1]}",
)


def bucket(tokens: int) -> str:
    """The bucket of a caption of so many tokens."""
    return BUCKETS[bisect_left(_UP_TO, tokens)]
