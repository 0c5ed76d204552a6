"""What a metric's parameters may be: checked once for all metrics, by the kinds they declare."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from captious.bounds import Bounds, check_number
from captious.errors import InputError
from captious.shown import shown

WORDS: dict[type, str] = {
    str: "text",
    Path: "a path",
    bool: "True or False",
    types.NoneType: "None",
}


def check_parameters(name: str, metric: object, limits: Mapping[str, Bounds]) -> None:
    """An error names the first parameter that is not of the kind that its metric declares."""
    for parameter, kinds in _kinds(type(metric)).items():
        value = getattr(metric, parameter)
        if value is None and types.NoneType in kinds:
            continue
        if parameter in limits:
            check_number(f"{name}: {parameter}", value, limits[parameter])
        elif not isinstance(value, kinds) or (isinstance(value, str) and not value):
            wanted = " or ".join(WORDS.get(kind, kind.__name__) for kind in kinds)
            raise InputError(f"{name}: {parameter}: {wanted}, not {shown(value)}")


def _kinds(metric: type[Any]) -> dict[str, tuple[type, ...]]:
    """The types that each parameter may have."""
    hints = typing.get_type_hints(metric)
    return {
        field.name: typing.get_args(hints[field.name]) or (hints[field.name],)
        for field in fields(metric)
    }
