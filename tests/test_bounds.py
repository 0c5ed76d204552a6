"""Numbers of a recipe: what may be, and what is said of the rest."""

import math
from dataclasses import dataclass

import pytest

from captious.bounds import (
    COUNT,
    DECAY,
    POSITIVE,
    RATE,
    SEED,
    SHARE,
    WEIGHT,
    check_numbers,
)
from captious.errors import InputError


@pytest.mark.parametrize(
    ("bounds", "allowed", "refused", "said"),
    [
        (COUNT, [1, 900], [0, -1, 1.0, True, "3", None], "a whole number from 1 on"),
        (SEED, [0, 7], [-1, 0.5, False], "a whole number from 0 on"),
        (SHARE, [0, 0.5, 0.999], [1, 1.0, -0.1, math.nan], "a number from 0 to below 1"),
        (WEIGHT, [0, 0.0, 1e9], [-1e-9, math.inf, math.nan, "1"], "a number from 0 on"),
        (POSITIVE, [1e-300, 3], [0, 0.0, math.inf], "a number above 0"),
        (RATE, [1e-9, 0.5], [0, 1], "a number between 0 and 1"),
        (DECAY, [0.1, 1, 1.0], [0, 1.1], "a number above 0 and up to 1"),
    ],
)
def test_bounds_allow_what_they_say(bounds, allowed, refused, said):
    assert all(map(bounds.allow, allowed))
    assert not any(map(bounds.allow, refused))
    assert str(bounds) == said


def test_error_names_the_number_its_bounds_and_the_value():
    @dataclass
    class Bread:
        loaves: int = 2
        salt: float = 1.5

    check_numbers(Bread(), {COUNT: ("loaves",), WEIGHT: ("salt",)})
    with pytest.raises(InputError, match=r"^salt: a number from 0 to below 1, not 1\.5$"):
        check_numbers(Bread(), {COUNT: ("loaves",), SHARE: ("salt",)})
