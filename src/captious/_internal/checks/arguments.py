"""Arguments and fields checked against their own type hints, where the public interface begins."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import fields
from functools import cache, wraps
from typing import Any, TypeVar, cast

from captious._internal.checks.bounds import bounds_in, take_number
from captious._internal.checks.kinds import Kind, check_kind, kind_of

Function = TypeVar("Function", bound=Callable[..., Any])

_IN_ORDER = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def checked(function: Function) -> Function:
    """The function, of which an argument of another kind than its hint is a CaptiousError."""
    name = function.__qualname__.removesuffix(".__init__")

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        in_order, by_name = _argument_kinds(function)
        for parameter, value in (*zip(in_order, args, strict=False), *kwargs.items()):
            kind = by_name.get(parameter)
            if kind is not None and not kind.allows(value):
                check_kind(f"{name}: {parameter}", value, kind)
        return function(*args, **kwargs)

    return cast(Function, call)


def check_fields(made: Any, name: str | None = None) -> None:
    """An error names the first field of a dataclass that is not of the kind that it declares."""
    for field, kind in field_kinds(made).items():
        if kind is not None:
            check_kind(f"{name or type(made).__name__}: {field}", getattr(made, field), kind)


def check_numbers(made: Any) -> None:
    """An error names the first number of a dataclass's object outside its hint's bounds."""
    hints = typing.get_type_hints(type(made), include_extras=True)
    for name, bounds in ((field.name, bounds_in(hints[field.name])) for field in fields(made)):
        if bounds is not None:
            take_number(made, name, bounds, name)


def field_kinds(made: Any) -> dict[str, Kind | None]:
    """The kind of each field of a dataclass's object, in order."""
    of: Any = type(made)  # any, since mypy takes the hash of a class for its objects'
    return _kinds_of_fields(of)


@cache
def _kinds_of_fields(of: type[Any]) -> dict[str, Kind | None]:
    hints = typing.get_type_hints(of, include_extras=True)
    return {field.name: kind_of(hints[field.name]) for field in fields(of)}


@cache
def _argument_kinds(
    function: Callable[..., Any],
) -> tuple[tuple[str, ...], dict[str, Kind | None]]:
    """The arguments that may be given without a name, and the kind of each that has one.

    What stands behind `**options` is for others to check.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters.values()
    return (
        tuple(parameter.name for parameter in parameters if parameter.kind in _IN_ORDER),
        {
            parameter.name: kind_of(hints.get(parameter.name, Any))
            for parameter in parameters
            if parameter.kind not in _ANY_NUMBER
        },
    )
