"""Arguments and fields are checked against their own hints, and nothing else is changed."""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt
import pytest

import captious
from captious._internal.checks.arguments import (
    check_arguments,
    check_choice,
    check_fields,
    check_kind,
    kind_of,
)
from captious._internal.checks.bounds import COUNT, Seed
from captious.errors import CaptiousWarning, InputError


@check_arguments
def bake(loaves: int, salt: float = 0.5, *, oven: str | None = None, **extras: Any) -> list[Any]:
    """Bread."""
    return [loaves, salt, oven, extras]


class Baker:
    @check_arguments
    def __init__(self, name: str) -> None:
        self.name = name

    @check_arguments
    def sell(self, loaves: int, to: Baker | None = None) -> int:
        return loaves

    @classmethod
    @check_arguments
    def of(cls, names: Iterable[str]) -> Baker:
        return cls(" ".join(names))


@dataclass(frozen=True)
class Bread:
    loaves: int
    seed: Seed = 0
    remark: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)


# What is given on purpose is not what they declare.
any_bake: Any = bake
any_baker: Any = Baker
any_bread: Any = Bread
any_compare: Any = captious.compare


def test_valid_arguments_are_passed_unchanged() -> None:
    assert bake(1) == [1, 0.5, None, {}]
    assert bake(loaves=2, salt=1, oven="hot", water="anything") == [
        2,
        1,
        "hot",
        {"water": "anything"},
    ]
    assert Baker("a").sell(3, Baker("b")) == Baker("a").sell(loaves=3, to=None) == 3
    assert Baker.of(name for name in "ab").name == "a b"


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: any_bake("one"), "bake: loaves: a whole number, not 'one'"),
        (lambda: any_bake(1, None), "bake: salt: a number, not None"),
        (lambda: any_bake(1, oven=5), "bake: oven: text or None, not 5"),
        (lambda: any_baker(None), "Baker: name: text, not None"),
        (lambda: any_baker("a").sell(True), "Baker.sell: loaves: a whole number, not True"),
        (lambda: any_baker("a").sell(1, "b"), "Baker.sell: to: a Baker or None, not 'b'"),
        (lambda: any_baker.of("ab"), "Baker.of: names: a list, not 'ab'"),
        (lambda: any_bread(1.5), "Bread: loaves: a whole number, not 1.5"),
        (lambda: any_bread(1, remark=b""), "Bread: remark: text or None, not b''"),
        (lambda: any_compare(None, None), "compare: a: a Result, not None"),
    ],
)
def test_invalid_argument_is_a_one_line_error(call: Callable[..., Any], line: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == line


def test_bounds_are_part_of_a_hint() -> None:
    with pytest.raises(InputError, match=r"^Bread: seed: a whole number from 0 to below "):
        Bread(1, seed=-1)


def test_invalid_call_is_pythons_type_error() -> None:
    with pytest.raises(TypeError):
        any_bake()
    with pytest.raises(TypeError):
        any_bake(1, 2, 3)
    with pytest.raises(TypeError):
        any_baker("a").sell(1, cake=2)


def test_help_and_pickles_see_the_function_itself() -> None:
    assert bake.__doc__ == "Bread."
    assert list(inspect.signature(bake).parameters) == ["loaves", "salt", "oven", "extras"]
    assert pickle.loads(pickle.dumps(bake)) is bake
    assert "ids" in inspect.signature(captious.Scorer.score).parameters


def test_a_warning_of_a_comparison_names_the_callers_line() -> None:
    captions = [["a dog runs"], ["a cat sits"]]
    ours, theirs = (
        captious.score(["a dog", "a cat"], captions, ["bleu"], tokenizer=name, cache=False)
        for name in ("ptb", "whitespace")
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CaptiousWarning)
        captious.compare(ours, theirs, resamples=5)
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.parametrize("known", [("a", "b"), ["a", "b"], {"a": 1, "b": 2}])
def test_known_choice_is_accepted(known: Any) -> None:
    check_choice("unknown letter", "b", known)


@pytest.mark.parametrize("value", ["c", "", None, 5, ["a"], np.array(["a", "b"]), {}, b"a"])
def test_unknown_choice_lists_the_known_ones(value: Any) -> None:
    with pytest.raises(InputError, match=r"^x: unknown letter .*; choose one of: a, b$"):
        check_choice("x: unknown letter", value, {"a": 1, "b": 2})


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
def test_values_that_a_hint_allows(hint: Any, allowed: list[Any], refused: list[Any]) -> None:
    kind = kind_of(hint)
    assert kind is not None
    assert [value for value in allowed if not kind.allows(value)] == []
    assert [value for value in refused if kind.allows(value)] == []


@pytest.mark.parametrize("hint", [Any, object, Hashable, int | Any, Reading, "unresolved"])
def test_untestable_hints_have_no_kind(hint: Any) -> None:
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
def test_kinds_in_plain_words(hint: Any, words: str) -> None:
    assert str(kind_of(hint)) == words


def test_an_error_is_short_and_of_one_line() -> None:
    kind = kind_of(int)
    assert kind is not None
    with pytest.raises(
        InputError, match=r"^bake: loaves: a whole number, not array\(\[\[0"
    ) as error:
        check_kind("bake: loaves", np.zeros((40, 40)), kind)
    assert "\n" not in str(error.value) and len(str(error.value)) < 300
