"""What the numbers of a recipe may be, and the sentence that any other number gets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from captious.errors import InputError


@dataclass(frozen=True)
class Bounds:
    """An interval of numbers, whole ones or any, with or without its ends."""

    least: float
    most: float = math.inf
    whole: bool = False
    with_least: bool = True
    with_most: bool = False

    def allow(self, value: object) -> bool:
        """Whether a value is a number of this kind; True and False are not."""
        kinds = (int,) if self.whole else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool):
            return False
        above = value >= self.least if self.with_least else value > self.least
        return above and (value <= self.most if self.with_most else value < self.most)

    def __str__(self) -> str:
        said = f"a {'whole ' * self.whole}number "
        if self.most == math.inf:
            return said + (f"from {self.least} on" if self.with_least else f"above {self.least}")
        if not self.with_least and not self.with_most:
            return said + f"between {self.least} and {self.most}"
        low = f"from {self.least}" if self.with_least else f"above {self.least} and"
        return said + low + (f" up to {self.most}" if self.with_most else f" to below {self.most}")


COUNT = Bounds(1, whole=True)
SEED = Bounds(0, whole=True)
SHARE = Bounds(0, 1)  # less than all
WEIGHT = Bounds(0)
POSITIVE = Bounds(0, with_least=False)
RATE = Bounds(0, 1, with_least=False)
DECAY = Bounds(0, 1, with_least=False, with_most=True)


def check_numbers(recipe: object, allowed: Mapping[Bounds, Iterable[str]]) -> None:
    """An error names the first of a recipe's numbers that is not what it may be."""
    for bounds, names in allowed.items():
        for name in names:
            check_number(name, getattr(recipe, name), bounds)


def check_number(name: str, value: object, bounds: Bounds) -> None:
    """An error unless a value is a number of this kind."""
    if not bounds.allow(value):
        raise InputError(f"{name}: {bounds}, not {value!r}")
