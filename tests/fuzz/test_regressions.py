"""Failures that were found once, tried again; and a few inputs of every kind, always the same."""

from __future__ import annotations

import pytest

from tests.fuzz import regression_files
from tests.fuzz.campaign import Campaign
from tests.fuzz.catalogue import KINDS, is_installed, iter_units
from tests.fuzz.trial import FAILED, try_input

INPUTS = 1000
KEPT = regression_files.cases()


SLOW = ("meteor-tables-d46b0e9f",)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in KEPT],
)
def test_former_failures_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", "off")
    case = KEPT[name]
    kind = KINDS[case["kind"]]
    if not is_installed(kind):
        pytest.skip(f"needs {', '.join(kind.needs)}")
    verdict = try_input(kind, case["input"])
    assert verdict.outcome != FAILED, verdict.detail


@pytest.mark.slow
def test_inputs_of_every_kind_are_taken_or_refused() -> None:
    names = [name for name, kind in KINDS.items() if is_installed(kind)]
    campaign = Campaign(seed=20261117, log=lambda line: None)
    campaign.run(iter_units(names, INPUTS), jobs=2, seconds=None)
    assert not campaign.failures, "\n\n".join(
        f"python -m tests.fuzz --seed {campaign.seed} --kind {failure.kind} "
        f"--number {failure.number}\n{failure.detail}"
        for failure in campaign.failures.values()
    )
