"""The names of `captious.integrations`: imported when asked for, and errors that say what lacks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from captious import integrations
from captious.errors import MissingDependencyError

LIGHT = """
import sys
import captious.integrations
from captious.integrations import BatchScorer, CaptionReward, CaptionWatch, lightning_callback
import captious.integrations.verl
heavy = {"torch", "torchmetrics", "evaluate", "datasets", "ray", "lightning", "transformers", "trl"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


def test_every_name_has_a_home() -> None:
    assert set(integrations.__all__) <= set(dir(integrations))
    for name in integrations.__all__:
        if name != "CaptionMetric":
            assert callable(getattr(integrations, name))
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = integrations.other


@pytest.mark.slow
def test_no_framework_is_imported_before_it_is_asked_for() -> None:
    subprocess.run([sys.executable, "-c", LIGHT], check=True, timeout=120)


def test_torchmetrics_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    monkeypatch.delitem(sys.modules, "captious.integrations.torchmetrics", raising=False)
    monkeypatch.delattr(integrations, "torchmetrics", raising=False)
    with pytest.raises(MissingDependencyError, match=r"pip install 'captious\[torchmetrics\]'"):
        _ = integrations.CaptionMetric
