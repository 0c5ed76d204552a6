"""Sums over resampled images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from captious._internal.threads import limit_threads
from captious.stats import bootstrap as resampling
from captious.stats.bootstrap import bootstrap, randomization_sums


def chosen_by_coins(statistics: Any, resamples: int) -> Any:
    return np.concatenate(list(randomization_sums(statistics, resamples)))


def test_coins_are_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = np.random.default_rng(0).integers(5, size=(37, 3)).astype(float)
    whole = chosen_by_coins(statistics, 50)
    for size in (1, 37, 150, 700):
        monkeypatch.setattr(resampling, "MAX_BLOCK_SIZE", size)
        assert (chosen_by_coins(statistics, 50) == whole).all()


@pytest.mark.parametrize("drawn", [bootstrap, chosen_by_coins])
def test_results_do_not_depend_on_threads(drawn: Callable[..., Any]) -> None:
    statistics = np.random.default_rng(0).random((3000, 40))
    sums = []
    for threads in (1, 2, 5):
        with limit_threads(threads):
            sums.append(drawn(statistics, 300).tobytes())
    assert len(set(sums)) == 1


@pytest.mark.parametrize("images", [1, 2, 100, 5000, resampling.MAX_IMAGES_PER_DRAW + 1])
def test_resamples_drawn_together_are_those_drawn_one_by_one(images: int) -> None:
    rng = np.random.default_rng(7)
    expected = [np.bincount(rng.integers(images, size=images), minlength=images) for _ in range(9)]
    actual = np.concatenate(list(resampling.bootstrap_counts(images, 9, 7)))
    assert (actual == expected).all()
