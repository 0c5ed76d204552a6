"""What a metric's parameters may be: checked once for all metrics, by the kinds they declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from captious.checks.arguments import field_kinds
from captious.checks.bounds import Bounds, take_number
from captious.checks.kinds import check_kind
from captious.errors import InputError
from captious.shown import shown


def check_parameters(name: str, metric: Any, limits: Mapping[str, Bounds]) -> None:
    """An error names the first parameter that is not of the kind that its metric declares."""
    for parameter, kind in field_kinds(metric).items():
        value, what = getattr(metric, parameter), f"{name}: {parameter}"
        if parameter in limits and not (value is None and kind is not None and kind.allows(None)):
            take_number(metric, parameter, limits[parameter], what)
        elif kind is not None:
            check_kind(what, value, kind)
            if isinstance(value, str) and not value:
                raise InputError(f"{what}: {kind}, not {shown(value)}")
