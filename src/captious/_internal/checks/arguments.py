"""Validation of arguments and fields against their type hints, at the public interface."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import fields
from functools import cache, wraps
from typing import Any, TypeVar, cast

from captious._internal.checks.bounds import bounds_in, normalize_number
from captious._internal.checks.kinds import Kind, check_kind, kind_of

Function = TypeVar("Function", bound=Callable[..., Any])

_IN_ORDER = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def check_arguments(function: Function) -> Function:
    """Decorate a function so that an argument that contradicts its hint is a CaptiousError."""
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


def check_fields(instance: Any, name: str | None = None) -> None:
    """Raise for the first field of a dataclass instance that contradicts its type hint."""
    for field, kind in field_kinds(instance).items():
        if kind is not None:
            check_kind(
                f"{name or type(instance).__name__}: {field}", getattr(instance, field), kind
            )


def check_numbers(instance: Any) -> None:
    """Raise for the first number of a dataclass instance outside its hint's bounds."""
    hints = typing.get_type_hints(type(instance), include_extras=True)
    for name, bounds in ((field.name, bounds_in(hints[field.name])) for field in fields(instance)):
        if bounds is not None:
            normalize_number(instance, name, bounds, name)


def field_kinds(instance: Any) -> dict[str, Kind | None]:
    """Return the kind of each field of a dataclass instance, in order."""
    cls: Any = type(instance)  # Any: mypy takes a class's hash for its instances'
    return _kinds_of_fields(cls)


@cache
def _kinds_of_fields(cls: type[Any]) -> dict[str, Kind | None]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field.name: kind_of(hints[field.name]) for field in fields(cls)}


@cache
def _argument_kinds(
    function: Callable[..., Any],
) -> tuple[tuple[str, ...], dict[str, Kind | None]]:
    """Return the positional arguments, and the kind of each named one.

    Arguments collected by `**options` are not checked here.
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
