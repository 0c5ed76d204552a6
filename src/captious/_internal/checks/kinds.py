"""Kinds: shallow runtime checks of values against type hints, with plain words for messages.

The checks are shallow: the items of a list and the size of a number are not looked at. Whatever
behaves like a list (an array, a column of a data frame) passes for any list-like hint.
"""

from __future__ import annotations

import collections.abc
import inspect
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from numbers import Integral, Real
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from captious._internal.checks.bounds import bounds_in
from captious.errors import InputError, short_repr

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
