"""Arguments and fields are checked against their own hints, and nothing else is changed."""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

import captious
from captious._internal.checks.arguments import check_arguments, check_fields
from captious._internal.checks.bounds import Seed
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


def test_what_is_of_its_kind_goes_through() -> None:
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
def test_what_is_of_another_kind_is_said(call: Callable[..., Any], line: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == line


def test_bounds_are_part_of_a_hint() -> None:
    with pytest.raises(InputError, match=r"^Bread: seed: a whole number from 0 to below "):
        Bread(1, seed=-1)


def test_a_call_that_python_refuses_is_still_pythons() -> None:
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
