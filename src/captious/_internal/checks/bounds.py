"""Bounds of numeric arguments, and the error message for numbers outside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Annotated, Any, get_args

from captious.errors import InputError, short_repr


@dataclass(frozen=True)
class Bounds:
    """An interval of numbers, whole ones or any, with or without its ends."""

    least: float
    most: float = math.inf
    whole: bool = False
    with_least: bool = True
    with_most: bool = False

    def allow(self, value: object) -> bool:
        """Whether a value is a number within the bounds; True and False are not."""
        if not isinstance(value, Integral if self.whole else Real) or isinstance(value, bool):
            return False
        number = int(value) if isinstance(value, Integral) else float(value)
        above = number >= self.least if self.with_least else number > self.least
        below = number <= self.most if self.with_most else number < self.most
        return above and below and (self.whole or _is_finite(number))

    def __str__(self) -> str:
        kind = f"a {'whole ' * self.whole}number "
        least, most = (
            f"{end:,}" if isinstance(end, int) else f"{end:g}" for end in (self.least, self.most)
        )
        if self.most == math.inf:
            return kind + (f"from {least} on" if self.with_least else f"above {least}")
        if not self.with_least and not self.with_most:
            return kind + f"between {least} and {most}"
        low = f"from {least}" if self.with_least else f"above {least} and"
        return kind + low + (f" up to {most}" if self.with_most else f" to below {most}")


COUNT = Bounds(1, 1_000_000, whole=True, with_most=True)
WIDTH = Bounds(1, 65_536, whole=True, with_most=True)  # of a layer: its square is weights
DRAWS = Bounds(1, 1_000_000, whole=True, with_most=True)  # resamples
DRAWS_OR_NONE = Bounds(0, 1_000_000, whole=True, with_most=True)
BEAM = Bounds(1, 1_000, whole=True, with_most=True)
WORDS = Bounds(1, 10_000, whole=True, with_most=True)  # of a caption to be written
SEED = Bounds(0, 2**63, whole=True)  # accepted by every random generator
SHARE = Bounds(0, 1)  # less than all
CONFIDENCE = Bounds(0, 1, with_least=False)
WEIGHT = Bounds(0, 1e9, with_most=True)
POSITIVE = Bounds(0, 1e9, with_least=False, with_most=True)
RATE = Bounds(0, 1, with_least=False)
DECAY = Bounds(0, 1, with_least=False, with_most=True)


# Type hints of numeric arguments, whose bounds `check_arguments` enforces.
Count = Annotated[int, COUNT]
Draws = Annotated[int, DRAWS]
Beam = Annotated[int, BEAM]
Words = Annotated[int, WORDS]
DrawsOrNone = Annotated[int, DRAWS_OR_NONE]
Seed = Annotated[int, SEED]
Confidence = Annotated[float, CONFIDENCE]
Width = Annotated[int, WIDTH]
Share = Annotated[float, SHARE]
Weight = Annotated[float, WEIGHT]
Positive = Annotated[float, POSITIVE]
Rate = Annotated[float, RATE]
Decay = Annotated[float, DECAY]


def bounds_in(hint: Any) -> Bounds | None:
    """Return the bounds in a type hint, if there are any."""
    return next((each for each in get_args(hint)[1:] if isinstance(each, Bounds)), None)


def check_number(name: str, value: object, bounds: Bounds) -> None:
    """Raise unless a value is a number within the bounds."""
    if not bounds.allow(value):
        raise InputError(f"{name}: {bounds}, not {short_repr(value)}")


def normalize_number(owner: object, field: str, bounds: Bounds, name: str) -> None:
    """Check a number in a field of an object; a NumPy number becomes a Python one.

    Only Python numbers can be written to all files and formatted freely.
    """
    value = getattr(owner, field)
    check_number(name, value, bounds)
    if type(value) not in (int, float):
        plain = int(value) if isinstance(value, Integral) else float(value)
        object.__setattr__(owner, field, plain)  # the object may be frozen


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an integer too large for a float
        return False
