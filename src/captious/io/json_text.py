"""JSON as all commands and files have it: plain ASCII, and an undefined number is null."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON, which has no NaN and no infinity, whatever Python would write.

    ASCII alone is safe on every terminal: all that is not printable is escaped, too.
    """
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:  # rare, so that the usual value need not be copied
        return json.dumps(nan_to_none(value), indent=indent, allow_nan=False)


def nan_to_none(value: Any) -> Any:
    """A value as JSON has it: lists for tuples, and nothing for every number that is none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: nan_to_none(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [nan_to_none(each) for each in value]
    return value


def number_or_nan(value: object) -> float:
    """A number read from JSON, in which one that is not defined was written as null."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"not a number: {value!r}")
    if math.isinf(value):
        raise ValueError("an infinite number, which no JSON of ours has")
    return float(value)
