"""Kinds: which values a type hint allows, and how an error says it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt
import pytest

from captious._internal.checks.arguments import check_kind, kind_of
from captious._internal.checks.bounds import COUNT
from captious.errors import InputError

ARRAY = np.array(["a", "b"])
SINGLE = np.array(3)


class ByNumber:
    def __getitem__(self, place: int) -> str:
        return "ab"[place]


class Reading(Protocol):
    def read(self) -> str: ...


def generator() -> Iterator[str]:
    yield "a"


@pytest.mark.parametrize(
    ("hint", "allowed", "refused"),
    [
        (None, [None], [0, ""]),
        (bool, [True, np.True_], [1, "yes", None]),
        (int, [1, -5, 10**30, np.int64(2)], [True, 1.0, "1", np.True_, SINGLE, None]),
        (float, [1, 0.5, float("nan"), np.float32(1), Fraction(1, 2)], [True, 1j, "1", [1.0]]),
        (str, ["", "a", np.str_("a")], [b"a", None, 5, ["a"]]),
        (Path, [Path()], ["a", b"a", 5]),
        (str | Path, [Path(), "a"], [b"a", None, 5, ["a"]]),
        (str | None, ["a", None], [5]),
        (Iterable[str], [["a"], ("a",), {"a"}, ARRAY, generator(), range(2), ByNumber()],
         ["a", b"a", 5, None, SINGLE, list]),
        (Collection[str], [["a"], {"a"}, {"a": 1}, {"a": 1}.keys(), ARRAY], ["a", generator(), 5]),
        (Sequence[str], [["a"], ("a",), ARRAY, {"a": 1}.values(), range(2)],
         ["a", b"a", {"a"}, frozenset(), {"a": 1}, generator(), None, SINGLE]),
        (list[str], [["a"], ("a",), ARRAY], ["a", {"a": 1}]),
        (tuple[int, ...], [(1,), [1]], [1, None]),
        (npt.NDArray[np.float64], [np.ones(2), [1.0]], [SINGLE, 1.0, "a"]),
        (Sequence[str] | str, ["a", ["a"]], [5, None]),
        (Mapping[str, int], [{}, {"a": 1}], [[], None, "a", ARRAY]),
        (dict[str, int], [{}], [[("a", 1)]]),
        (Callable[..., int], [print, int, lambda: None], [5, None, "print"]),
        (Callable[[str, int], int], [print, lambda *all: 1, lambda a, b=2, c=3: 1, max,
                                     int.__add__],
         [lambda: 1, lambda a: 1, int, object, lambda a, b, *, c: 1, 5]),
        (InputError, [InputError()], [ValueError(), InputError]),
        (Annotated[int, COUNT], [1, 1_000_000], [0, 1_000_001, True, 1.0, None]),
        (Annotated[int, "in metres"], [0, -1], ["a"]),
        (Annotated[int, COUNT] | None, [1, None], [0]),
    ],
)  # fmt: skip
def test_what_a_hint_allows(hint: Any, allowed: list[Any], refused: list[Any]) -> None:
    kind = kind_of(hint)
    assert kind is not None
    assert [value for value in allowed if not kind.allows(value)] == []
    assert [value for value in refused if kind.allows(value)] == []


@pytest.mark.parametrize("hint", [Any, object, Hashable, int | Any, Reading, "unresolved"])
def test_what_cannot_be_tested_is_no_kind(hint: Any) -> None:
    assert kind_of(hint) is None


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (str | Path, "a path"),
        (None | str, "text or None"),
        (InputError | Mapping[str, int] | None, "an InputError, a dict or None"),
        (list[int] | Sequence[str], "a list"),
        (npt.NDArray[np.float64] | None, "an array or None"),
        (bool, "True or False"),
        (Callable[[str], int], "a function of 1 argument"),
        (Callable[[str, int], int], "a function of 2 arguments"),
        (Callable[..., int], "a function"),
        (Annotated[int, COUNT], "a whole number from 1 up to 1,000,000"),
        (float, "a number"),
    ],
)
def test_a_kind_in_words(hint: Any, words: str) -> None:
    assert str(kind_of(hint)) == words


def test_an_error_is_short_and_of_one_line() -> None:
    kind = kind_of(int)
    assert kind is not None
    with pytest.raises(
        InputError, match=r"^bake: loaves: a whole number, not array\(\[\[0"
    ) as error:
        check_kind("bake: loaves", np.zeros((40, 40)), kind)
    assert "\n" not in str(error.value) and len(str(error.value)) < 300
