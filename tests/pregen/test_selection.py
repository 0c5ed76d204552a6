"""Which epoch a score keeps, when it stops a training, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest

from captious.errors import InputError
from captious.pregen.search_table import SearchTable
from captious.pregen.selection import (
    SelectedEpoch,
    best_epoch,
    leave_one_architecture_out,
    selection_outcome,
    with_patience,
)

BEST, OTHER = "mean_max_normcount_prefix0", "geomean_join_pplx_none"


def test_the_best_epoch_is_the_first_of_equals() -> None:
    assert best_epoch([0.1, 0.4, 0.4, 0.2]) == 2
    assert best_epoch([9.0, 3.0, 2.5, 2.5], lower_is_better=True) == 3
    with pytest.raises(InputError, match="no epochs"):
        best_epoch([])


@pytest.mark.parametrize(
    ("values", "patience", "kept"),
    [
        ([1, 3, 2, 2, 9], 2, SelectedEpoch(2, 4)),  # the 9 is never seen
        ([1, 3, 2, 2, 9], 3, SelectedEpoch(5, 5)),
        ([1, 2, 3], 1, SelectedEpoch(3, 3)),
        ([2, 2, 3], 1, SelectedEpoch(1, 2)),  # as good as before is no improvement
        ([5], 2, SelectedEpoch(1, 1)),
    ],
)
def test_early_stopping_with_patience(
    values: list[int], patience: int, kept: SelectedEpoch
) -> None:
    assert with_patience(values, patience) == kept
    assert with_patience([-value for value in values], patience, lower_is_better=True) == kept


def test_patience_must_be_one_epoch_or_more() -> None:
    with pytest.raises(InputError, match="patience"):
        with_patience([1.0], 0)


def table() -> SearchTable:
    """Perplexity foretells all but `merge`, where the other metric does, which fails elsewhere."""
    rng = np.random.default_rng(0)
    quality = rng.random(12)
    kinds = np.repeat(["init", "par", "merge"], 4)
    is_merge = kinds == "merge"
    noise = rng.random(12)
    return SearchTable.of(
        {
            "dataset": ["toy"] * 12,
            "architecture": kinds.tolist(),
            "run": [0] * 12,
            "checkpoint": [1, 2, 3, 4] * 3,
            "cider_d": quality.tolist(),
            BEST: np.where(is_merge, quality, noise).tolist(),
            OTHER: np.where(is_merge, 5 * noise, 3 - quality).tolist(),
        }
    )


def test_metric_is_selected_on_the_other_architectures() -> None:
    found = leave_one_architecture_out(table(), "cider_d")
    assert list(found) == ["init", "par", "merge"]
    assert found["merge"].metric == OTHER and found["merge"].lower_is_better
    assert found["merge"].r == pytest.approx(-1)
    one = table().where("architecture", "init")
    with pytest.raises(InputError, match="two or more"):
        leave_one_architecture_out(one, "cider_d")


def test_selection_outcome_means_and_intervals() -> None:
    scores = {"a_0": [10.0, 40.0, 30.0], "b_0": [20.0, 10.0]}
    found = selection_outcome(
        scores, {"a_0": 3, "b_0": 1}, instead_of={"a_0": 1, "b_0": 1}, resamples=200
    )
    assert found.score[0] == 25 and found.lost[0] == 5 and found.gained[0] == 10
    assert found.score[1] == pytest.approx((20, 30))  # both ends: the same run drawn twice
    assert found.lost[1] == pytest.approx((0, 10)) and found.gained[1] == pytest.approx((0, 20))
    assert selection_outcome(scores, {"a_0": 2, "b_0": 1}, resamples=9).gained == (0, (0, 0))
    with pytest.raises(InputError, match="each run"):
        selection_outcome(scores, {"a_0": 1})
