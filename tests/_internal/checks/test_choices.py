"""Names of which one is to be chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from captious._internal.checks.arguments import check_choice
from captious.errors import InputError


@pytest.mark.parametrize("known", [("a", "b"), ["a", "b"], {"a": 1, "b": 2}])
def test_a_name_that_is_known(known: Any) -> None:
    check_choice("unknown letter", "b", known)


@pytest.mark.parametrize("value", ["c", "", None, 5, ["a"], np.array(["a", "b"]), {}, b"a"])
def test_any_other_value_is_said_with_what_there_is(value: Any) -> None:
    with pytest.raises(InputError, match=r"^x: unknown letter .*; choose one of: a, b$"):
        check_choice("x: unknown letter", value, {"a": 1, "b": 2})
