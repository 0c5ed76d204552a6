"""The rule that chooses negatives: candidates, conditions, and what decides among those near."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from captious.training.learned_metrics.negatives import (
    MACHINE_DEFAULT,
    NO_MACHINE_DEFAULT,
    check_mixture,
)
from tests.places import ROOT


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import choose_negatives

    return choose_negatives


def measured(tau: float, order: float, seeds: int = 3) -> dict[str, Any]:
    shares = {"tau": tau, "order": order, "content": 0.99, "content, 1 reference": 0.95}
    return {
        name: {measure: [value] * seeds for measure, value in shares.items()}
        for name in ("nneval m", "lceval m")
    }


def test_candidates_are_mixtures_with_and_without_permuted_words(rule: ModuleType) -> None:
    shipped = rule.CHOICES["shipped"].candidates()
    assert len(shipped) == 14
    assert shipped["machine 4, machine_other 4, word_permutation 2"] == {
        "machine": 4, "machine_other": 4, "word_permutation": 2,
    }  # fmt: skip
    by_machines = rule.CHOICES["default"].candidates()
    assert len(by_machines) == 12 and "random_caption 1" not in by_machines
    alone = rule.CHOICES["default-without-machine"].candidates()
    assert list(alone) == ["random_caption 1", "random_caption 4, word_permutation 1"]


def test_the_defaults_are_candidates(rule: ModuleType) -> None:
    for default, choice in (
        (MACHINE_DEFAULT, "default"),
        (NO_MACHINE_DEFAULT, "default-without-machine"),
    ):
        candidates = rule.CHOICES[choice].candidates().values()
        assert check_mixture(default) in [check_mixture(each) for each in candidates]


def test_sources_are_one_machines(rule: ModuleType) -> None:
    mixture = {"machine": 1, "machine_other": 2, "word_permutation": 3}
    expected = {"init_1": 1, "init_1/other": 2, "word_permutation": 3}
    assert rule.sources_of(mixture, "init_1") == expected


def test_the_highest_tau_among_those_that_meet_the_conditions_wins(rule: ModuleType) -> None:
    results = {"a": measured(0.5, 0.95), "b": measured(0.6, 0.95), "c": measured(0.7, 0.5)}
    assert rule.select_winners(results) == ["b"]
    results["a"] = measured(0.595, 0.95)
    assert rule.select_winners(results) == ["a", "b"]


def test_without_any_the_nearest_to_the_conditions_wins(rule: ModuleType) -> None:
    results = {"a": measured(0.5, 0.85), "b": measured(0.6, 0.8)}
    assert rule.select_winners(results) == ["a"]
    results["a"] = measured(0.5, 0.85, seeds=1)  # was dropped after the first round
    assert rule.select_winners(results) == ["b"]


def test_candidates_far_below_the_best_get_no_further_seeds(rule: ModuleType) -> None:
    results = {"a": measured(0.5, 0.8), "b": measured(0.53, 0.7), "c": measured(0.515, 0.6)}
    assert rule.select_finalists(results) == ["b", "c"]
    assert rule.select_finalists({**results, "d": measured(0.4, 0.95)}) == ["d"]
