"""Validation of arguments and fields against their type hints, at the public interface.

The checks are shallow: the items of a list are not checked. Whatever behaves like a list (an array,
a column of a data frame) passes for any list-like hint.
"""

from __future__ import annotations

import collections.abc
import inspect
import os
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from functools import cache, lru_cache, wraps
from numbers import Integral, Real
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, cast

import numpy as np

from captious._internal.checks.bounds import bounds_in, normalize_number
from captious.errors import InputError, short_repr

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


def check_choice(what: str, value: object, known: Collection[str]) -> None:
    """Raise unless a value is one of the known names; `what` begins the message."""
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{what} {short_repr(value)}; choose one of: {', '.join(known)}")


Test = Callable[[object], bool]


class Kind(NamedTuple):
    """Kind of value: the words for it, and a test."""

    words: tuple[str, ...]
    allows: Test

    def __str__(self) -> str:
        *others, last = self.words
        return f"{', '.join(others)} or {last}" if others else last


def check_kind(what: str, value: object, kind: Kind) -> None:
    """Raise unless a value is of a kind."""
    if not kind.allows(value):
        raise InputError(f"{what}: {kind}, not {short_repr(value)}")


@lru_cache(maxsize=1024)
def kind_of(hint: Any) -> Kind | None:
    """Return the kind of a type hint; None where it allows anything or cannot be tested."""
    if hint is None:
        hint = types.NoneType
    origin = typing.get_origin(hint) or hint
    if origin is Annotated:
        bounds = bounds_in(hint)
        return kind_of(hint.__origin__) if bounds is None else Kind((str(bounds),), bounds.allow)
    if origin in (typing.Union, types.UnionType):
        return _any_of(typing.get_args(hint))
    if origin is collections.abc.Callable:
        return _function(*typing.get_args(hint))
    if origin in _KINDS:
        return _KINDS[origin]
    # Protocols cannot be tested by isinstance; Any is a class from 3.11 on.
    anything = origin in (Any, object, collections.abc.Hashable)
    if anything or not isinstance(origin, type) or getattr(origin, "_is_protocol", False):
        return None
    return Kind((_with_article(origin.__name__),), lambda value: isinstance(value, origin))


def _any_of(hints: tuple[Any, ...]) -> Kind | None:
    kinds = [kind_of(hint) for hint in hints]
    if any(kind is None for kind in kinds):
        return None
    known = [kind for kind in kinds if kind is not None]
    words = dict.fromkeys(word for kind in known for word in kind.words)
    if Path in hints:
        words.pop(TEXT, None)  # a path can be text
    if NOTHING in words:
        words[NOTHING] = words.pop(NOTHING)  # named last
    tests = tuple(kind.allows for kind in known)

    def allows(value: object) -> bool:
        for test in tests:  # noqa: SIM110 - a loop costs half of what a generator does
            if test(value):
                return True
        return False

    return Kind(tuple(words), allows)


def _function(arguments: Any = ..., result: Any = None) -> Kind:
    """Return the kind of functions that accept so many arguments, by their signature."""
    if not isinstance(arguments, list):
        return Kind(("a function",), callable)
    count = len(arguments)

    def allows(value: object) -> bool:
        if not callable(value):
            return False
        try:
            inspect.signature(value).bind(*arguments)
        except ValueError:  # built-in without a signature; classes are not functions
            return not isinstance(value, type)
        except TypeError:
            return False
        return True

    return Kind((f"a function of {count} argument{'s' * (count != 1)}",), allows)


def _with_article(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_iterable(value: object) -> bool:
    """Whether a loop can go through a value; not through the letters of a text."""
    if isinstance(value, str | bytes) or _is_single(value):
        return False
    # A data set of PyTorch has items by number and no more.
    return isinstance(value, Iterable) or hasattr(type(value), "__getitem__")


def _is_collection(value: object) -> bool:
    """Whether a value is iterable and has a length."""
    return isinstance(value, list | tuple) or (
        hasattr(type(value), "__len__") and _is_iterable(value)
    )


def _is_list(value: object) -> bool:
    """Whether a value is an ordered collection."""
    return isinstance(value, list | tuple) or (
        _is_collection(value) and not isinstance(value, Mapping | set | frozenset)
    )


def _is_single(value: object) -> bool:
    """Whether a value is an array or a tensor of no dimensions."""
    dimensions = getattr(value, "ndim", None)
    return isinstance(dimensions, int) and dimensions == 0


TEXT, NOTHING = "text", "None"
LIST = Kind(("a list",), _is_list)
ITERABLE = Kind(("a list",), _is_iterable)  # a generator, too, which has no length
_DICT = Kind(("a dict",), lambda value: isinstance(value, Mapping))
_COLLECTION = Kind(("a list",), _is_collection)
_KINDS: dict[Any, Kind] = {
    types.NoneType: Kind((NOTHING,), lambda value: value is None),
    bool: Kind(("True or False",), lambda value: isinstance(value, bool | np.bool_)),
    int: Kind(("a whole number",), _is_whole),
    float: Kind(("a number",), _is_number),
    str: Kind((TEXT,), lambda value: isinstance(value, str)),
    Path: Kind(("a path",), lambda value: isinstance(value, os.PathLike)),
    list: LIST,
    tuple: LIST,
    collections.abc.Sequence: LIST,
    collections.abc.Collection: _COLLECTION,
    collections.abc.Iterable: ITERABLE,
    np.ndarray: Kind(("an array",), _is_list),
    dict: _DICT,
    collections.abc.Mapping: _DICT,
}
