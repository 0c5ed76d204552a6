"""Sums over resampled images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from captious.resampling import bootstrap, chosen_by_coins
from captious.threads import at_most


@pytest.mark.parametrize("drawn", [bootstrap, chosen_by_coins])
def test_the_number_of_threads_changes_no_bit(drawn: Callable[..., Any]) -> None:
    statistics = np.random.default_rng(0).random((3000, 40))
    sums = []
    for threads in (1, 2, 5):
        with at_most(threads):
            sums.append(drawn(statistics, 300).tobytes())
    assert len(set(sums)) == 1
