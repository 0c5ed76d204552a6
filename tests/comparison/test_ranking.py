from __future__ import annotations

import numpy as np

from captious.comparison.ranking import ranks, spread_of_ranks


def test_equal_scores_share_a_rank_and_the_unknown_is_last() -> None:
    assert ranks(np.array([0.5, 0.7, 0.5, 0.1])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([0.5, np.nan, 0.7])).tolist() == [2, 3, 1]
    assert ranks(np.array([0.3, 0.1 + 0.2])).tolist() == [1, 1]
    assert ranks(np.array([1e-300, 2e-300, -1e100])).tolist() == [2, 1, 3]
    assert ranks(np.array([1.0, 2e-13, 1e-13])).tolist() == [1, 2, 3]
    assert ranks(np.array([4e-20, 2e-20])).tolist() == [1, 2]


def test_spread_is_that_of_each_resample() -> None:
    rng = np.random.default_rng(0)
    draws = rng.normal([[0.0], [0.2], [5.0]], 1, size=(3, 2000))
    by_hand = np.array([1 + (draws > row).sum(axis=0) for row in draws])
    assert (ranks(draws) == by_hand).all()
    assert spread_of_ranks(draws) == [(2, 3), (2, 3), (1, 1)]
    assert spread_of_ranks(draws[:, :1]) == [(rank, rank) for rank in by_hand[:, 0]]
